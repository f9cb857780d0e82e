import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { connectDatabase } from '../src/database/client.js';
import {
  createMailToken,
  deleteExpiredMailTokens,
  deleteMailTokens,
  readMailToken,
  takeMailToken,
} from '../src/people/mail-tokens.js';

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});

const person = { email: 'ada@example.org', name: 'Ada', passwordHash: 'argon2' };
const row = { email: 'ada@example.org', name: 'Ada', password_hash: 'argon2' };
const create = (hash: string, lifeSeconds = 600): Promise<void> =>
  createMailToken(
    db,
    { hash, purpose: 'registration', lifeSeconds, ...person },
    { id: `mail_${hash}`, userId: null, kind: 'registration', sealed: 'sealed', lifeSeconds: 600 },
  );

t.test('a token is stored with its mail, or neither is', async (t) => {
  await create('first');
  t.strictSame(await readMailToken(db, 'first', 'registration'), row);
  t.equal(await db.outgoingMail.count(), 1);
  await t.rejects(create('first'));
  t.equal(await db.outgoingMail.count(), 1);
});

t.test('a token opens only what it was sent for', async (t) => {
  t.equal(await readMailToken(db, 'first', 'password_reset'), null);
  t.equal(await takeMailToken(db, 'first', 'password_reset'), null);
});

t.test('of two who use a token in the same moment one gets it', async (t) => {
  const taken = await Promise.all([1, 2].map(() => takeMailToken(db, 'first', 'registration')));
  t.strictSame(
    taken.filter((found) => found !== null),
    [row],
  );
});

t.test('an expired token opens nothing and is removed', async (t) => {
  await create('expired', -1);
  await create('live');
  t.equal(await readMailToken(db, 'expired', 'registration'), null);
  t.equal(await takeMailToken(db, 'expired', 'registration'), null);
  t.equal(await deleteExpiredMailTokens(db), 1);
  t.strictSame(await readMailToken(db, 'live', 'registration'), row);
});

t.test('every other link of an address ends with the one that was used', async (t) => {
  await deleteMailTokens(db, person.email);
  t.equal(await readMailToken(db, 'live', 'registration'), null);
});
