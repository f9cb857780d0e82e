import { AppError } from '@verdict/service-kit/app-error.js';
import { errorBody } from '@verdict/service-kit/error-body.js';
import t from 'tap';
import { readCheckInput } from '../src/check/check-input.js';

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

function refusalOf(email: string) {
  try {
    readCheckInput({ email });
  } catch (error) {
    if (error instanceof AppError) return errorBody(error);
  }
  throw new Error(`${email} was not refused`);
}
