import t from 'tap';
import { addressOf } from '../src/sso/address-of.js';
import type { Person } from '../src/sso/identity-providers.js';

const CONNECTION = {
  domains: [
    { domain: 'corp.example', proven: true },
    { domain: 'pending.example', proven: false },
  ],
};
const GOOGLE = 'https://accounts.google.com';

const person = (more: Partial<Person> = {}): Person => ({
  ...{ issuer: 'https://idp.corp.example', subject: '1', email: 'Ada@corp.example' },
  ...{ isVerified: true, name: null, workspace: null, groups: [] },
  ...more,
});
const takes = (more?: Partial<Person>) => addressOf(person(more), CONNECTION).canonical;
const refused = (error: RegExp) => ({ status: 403, code: 'sso_refused', message: error });

t.test('an address of a proven domain is taken unless the provider calls it unverified', async (t) => {
  t.equal(takes(), 'ada@corp.example');
  t.equal(takes({ isVerified: null }), 'ada@corp.example', 'a provider that does not say');
  t.throws(() => takes({ isVerified: false }), refused(/has not verified/));
  t.throws(() => takes({ email: null }), refused(/did not send/));
  t.throws(() => takes({ email: 'ada@pending.example' }), refused(/does not log in people of/));
  t.throws(() => takes({ email: 'ada@sub.corp.example' }), refused(/does not log in people of/));
});

t.test('Google vouches for people of a workspace of a proven domain alone', async (t) => {
  t.equal(takes({ issuer: GOOGLE, workspace: 'corp.example' }), 'ada@corp.example');
  for (const workspace of [null, 'other.example', 'pending.example'])
    t.throws(() => takes({ issuer: GOOGLE, workspace }), refused(/private Google account/));
});
