import { AppError } from '@verdict/service-kit/app-error.js';
import { errorBody } from '@verdict/service-kit/error-body.js';
import t from 'tap';
import { parseCheckInput, readCheckInput } from '../src/check/check-input.js';
import { readBatch } from '../src/check/read-batch.js';

t.test('a refusal says what was probably meant, beside the message', async (t) => {
  const table: [string, string | undefined][] = [
    ['jane@gmailcom', 'jane@gmail.com'],
    ['Jane Doe <jane@acme.com>', 'jane@acme.com'],
    ['mailto:jane@acme.com', 'jane@acme.com'],
    ['jane@acme', undefined],
  ];
  for (const [email, suggestion] of table) {
    const body = refusalOf(email);
    t.same(Object.keys(body).sort(), ['code', 'error', 'errors'], 'nothing else of the body changes');
    t.equal(body.errors?.[0]?.field, 'email');
    t.equal(body.errors?.[0]?.suggestion, suggestion, email);
    t.equal(body.error.includes(`did you mean ${suggestion}?`), suggestion !== undefined, body.error);
  }
});

t.test('a tag has at most 64 plain characters, and never an address', async (t) => {
  const email = 'jane@acme.com';
  const tagOf = (tag: string | null) => {
    const read = parseCheckInput({ email, tag });
    return 'field' in read ? `${read.field}: ${read.message}` : read.tag;
  };
  for (const tag of ['a', 'Sign-up 2', 'campaign:summer/2026_b.1', 'x'.repeat(64)]) t.equal(tagOf(tag), tag);
  t.equal(tagOf(null), undefined);
  for (const tag of ['', ' a', '-a', 'jane@acme.com', 'a\nb', 'ü', 'x'.repeat(65)])
    t.match(tagOf(tag), /^tag: must have at most 64 letters/, tag);
});

t.test('a wrong tag of a batch is an error of its item', async (t) => {
  const email = 'jane@acme.com';
  const { inputs } = await readBatch([
    { email, tag: 'a' },
    { email, tag: 7 },
    { email, tag: 'b@c' },
    { email, tag: null },
  ]);
  t.same(
    inputs.map(({ tag }) => tag),
    ['a', undefined],
  );
  const faults = (
    await readBatch([
      { email, tag: 7 },
      { email, tag: 'b@c' },
    ])
  ).toResults([]);
  t.match(faults, [{ error: 'tag: must be a string or null' }, { error: /^tag: must have at most 64/ }]);
});

function refusalOf(email: string) {
  try {
    readCheckInput({ email });
  } catch (error) {
    if (error instanceof AppError) return errorBody(error);
  }
  throw new Error(`${email} was not refused`);
}
