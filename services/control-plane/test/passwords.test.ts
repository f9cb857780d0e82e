import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { createPasswords, knownUser, strangerAt } from '../src/auth/passwords.js';

const COST = 'owasp';

t.test('a known user does not wait behind guesses from sixty addresses', async (t) => {
  const passwords = await createPasswords(COST);
  let guessed = 0;
  const guesses = Array.from({ length: 60 }, async (_, i) => {
    await passwords.matches(null, 'a guess', strangerAt(`203.0.113.${i}`, undefined));
    guessed += 1;
  });
  await setImmediate();
  const hash = await passwords.hash('a good otter', knownUser('usr_1', undefined));
  t.equal(await passwords.matches(hash, 'a good otter', knownUser('usr_1', undefined)), true);
  t.ok(guessed < 15, `${guessed} guesses were answered first`);
  await Promise.all(guesses);
});

t.test('one address leaves places in the queue to others', async (t) => {
  const passwords = await createPasswords('insecure-for-tests');
  const guess = (ip: string) => passwords.matches(null, 'x', strangerAt(ip, undefined));
  const many = Promise.allSettled(Array.from({ length: 80 }, () => guess('203.0.113.1')));
  t.equal(await guess('198.51.100.1'), false);
  t.ok(
    (await many).some(({ status }) => status === 'rejected'),
    'the rest is refused',
  );
});
