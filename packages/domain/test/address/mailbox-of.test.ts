import fc from 'fast-check';
import t from 'tap';
import { mailboxOf } from '../../src/address/mailbox-of.js';
import { mailboxProviders } from '../../src/address/mailbox-providers.js';
import { parseEmail } from '../../src/address/parse-email.js';

const fold = (text: string, ignoresTags = false): string => {
  const parsed = parseEmail(text);
  if (!parsed.ok) throw new Error(`${text} is not an address`);
  return mailboxOf(parsed.address, ignoresTags);
};

t.test('all spellings of a mailbox fold to one', async (t) => {
  for (const [spelling, mailbox] of [
    ['B.o.b+1@GoogleMail.com', 'bob@gmail.com'],
    ['bob+a+b@gmail.com', 'bob@gmail.com'],
    ['j.doe+shop@hotmail.co.uk', 'j.doe@hotmail.co.uk'],
    ['jane+news@me.com', 'jane@me.com'],
    ['jane+news@pm.me', 'jane@proton.me'],
    ['jane+x@zohomail.eu', 'jane@zohomail.eu'],
    ['jane+x@ya.ru', 'jane@yandex.ru'],
    ['shop@jane.fastmail.com', 'jane@fastmail.com'],
    ['jane+shop@fastmail.fm', 'jane@fastmail.fm'],
  ] as const)
    t.equal(fold(spelling), mailbox);
});

t.test('what may be another person stays apart', async (t) => {
  for (const address of [
    'jane.doe@outlook.com',
    'anna-maria@yahoo.com',
    'jane+news@acme.com',
    '+news@gmail.com',
    '"a b+c"@gmail.com',
    'a@b.c.fastmail.com',
    'jane+x@[192.0.2.1]',
  ])
    t.equal(fold(address), address);
});

t.test('at a domain whose mail host ignores tags, dots still matter', async (t) => {
  t.equal(fold('jane.doe+news@acme.com', true), 'jane.doe@acme.com');
});

t.test('folding twice changes nothing, and the mailbox stays with its provider', async () => {
  const owners = mailboxProviders.map(({ domains }) => domains.split(/\s+/));
  const ownerOf = (domain: string) =>
    owners.findIndex((own) => own.some((name) => domain === name || domain.endsWith(`.${name}`)));
  const domain = fc.constantFrom(...owners.flat(), 'jane.fastmail.com', 'acme.com', 'mail.gmail.com');
  const local = fc.stringMatching(/^[a-z0-9+_-]{1,12}(\.[a-z0-9+_-]{1,12}){0,3}$/);
  fc.assert(
    fc.property(local, domain, fc.boolean(), (name, at, ignoresTags) => {
      const mailbox = fold(`${name}@${at}`, ignoresTags);
      const foldedDomain = mailbox.slice(mailbox.lastIndexOf('@') + 1);
      return (
        fold(mailbox, ignoresTags) === mailbox &&
        (ownerOf(at) === -1 ? foldedDomain === at : ownerOf(foldedDomain) === ownerOf(at))
      );
    }),
  );
});

t.test('no domain stands in two rows', async (t) => {
  const domains = mailboxProviders.flatMap((provider) => provider.domains.split(/\s+/));
  t.equal(new Set(domains).size, domains.length);
});
