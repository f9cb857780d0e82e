import { randomBytes } from 'node:crypto';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import type { Audit } from '../src/accounts/audited.js';
import { connectDatabase } from '../src/database/client.js';
import {
  createSsoConnection,
  findAccountOfDomain,
  proveDomain,
  type SsoTerms,
} from '../src/sso/sso-connection.js';
import { bindIdentity, findMemberOf, joinBySignOn } from '../src/sso/sso-identities.js';

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});

const fresh = () => randomBytes(8).toString('hex');
const audit = (): Audit => ({ id: fresh(), userId: null, ip: null, requestId: null, action: 'sso.changed' });

async function newAccount(): Promise<string> {
  const id = `acc_${fresh()}`;
  await db.account.create({ data: { id, name: 'a', plan: 'free' } });
  return id;
}

const termsOf = (...domains: string[]): SsoTerms => ({
  issuer: 'https://idp.example',
  clientId: 'client',
  clientSecret: 'encrypted',
  defaultRole: 'analyst',
  enforce: false,
  domains,
  proof: `proof-${fresh()}`,
});

const identityOf = (accountId: string) => ({ accountId, issuer: 'https://idp.example', subject: fresh() });
const newMember = () => ({
  userId: `usr_${fresh()}`,
  email: `${fresh()}@example.com`,
  mailbox: `${fresh()}@example.com`,
  name: null,
  passwordHash: 'none',
  role: 'analyst' as const,
  verified: true,
});

t.test('a connection keeps the proof and the proven domains that stay through a change', async (t) => {
  const [stays, goes, comes] = [`${fresh()}.example`, `${fresh()}.example`, `${fresh()}.example`];
  const connection = createSsoConnection(db, await newAccount());
  t.equal(await connection.find(), null);
  const first = termsOf(stays, goes);
  await connection.set(first, audit());
  t.ok(await connection.prove(stays, audit()));
  await connection.set({ ...termsOf(stays, comes), enforce: true }, audit());
  const found = await connection.find();
  t.match(found, { proof: first.proof, enforce: true });
  t.same(
    new Map(found?.domains.map(({ domain, proven }) => [domain, proven])),
    new Map([
      [stays, true],
      [comes, false],
    ]),
  );
});

t.test('a domain leads to the account that proved it first, and to none after it is removed', async (t) => {
  const domain = `${fresh()}.example`;
  const [mine, theirs] = [await newAccount(), await newAccount()];
  const connection = createSsoConnection(db, mine);
  await connection.set(termsOf(domain), audit());
  await createSsoConnection(db, theirs).set(termsOf(domain), audit());
  t.equal(await findAccountOfDomain(db, domain), null, 'named is not proven');
  t.ok(await connection.prove(domain, audit()));
  t.notOk(await connection.prove(domain, audit()), 'once');
  t.notOk(await proveDomain(db, theirs, domain, audit()), 'by one account');
  t.equal(await findAccountOfDomain(db, domain), mine);
  t.ok(await connection.remove(audit()));
  t.notOk(await connection.remove(audit()));
  t.equal(await findAccountOfDomain(db, domain), null);
  t.ok(await proveDomain(db, theirs, domain, audit()), 'it is free again');
});

t.test('another provider ends the logins of the one before, other changes keep them', async (t) => {
  const account = await newAccount();
  const connection = createSsoConnection(db, account);
  await connection.set(termsOf(), audit());
  const member = newMember();
  await joinBySignOn(db, identityOf(account), member, audit());
  const session = `ses_${fresh()}`;
  await db.session.create({
    data: {
      id: session,
      userId: member.userId,
      accountId: account,
      ssoAccountId: account,
      tokenHash: fresh(),
      chainKey: fresh(),
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  });
  const isOpen = async () => (await db.session.count({ where: { id: session, revokedAt: null } })) === 1;
  await connection.set({ ...termsOf(), enforce: true }, audit());
  t.ok(await isOpen());
  await connection.set({ ...termsOf(), issuer: 'https://other.example' }, audit());
  t.notOk(await isOpen());
});

t.test('an identity is one member of one account', async (t) => {
  const [account, other] = [await newAccount(), await newAccount()];
  const identity = identityOf(account);
  const member = newMember();
  t.equal(await findMemberOf(db, identity), null);
  t.ok(await joinBySignOn(db, identity, member, audit()));
  t.equal(await findMemberOf(db, identity), member.userId);
  t.equal(await findMemberOf(db, { ...identity, accountId: other }), null, 'another account knows nobody');
  t.notOk(await joinBySignOn(db, identityOf(account), { ...newMember(), mailbox: member.mailbox }, audit()));
  t.notOk(await bindIdentity(db, identity, member, audit()), 'it is bound already');
  t.ok(await bindIdentity(db, identityOf(account), { ...member, role: 'admin' }, audit()));
  const { role } = await db.membership.findFirstOrThrow({
    where: { accountId: account, userId: member.userId },
  });
  t.equal(role, 'analyst', 'a second identity changes no role');
});
