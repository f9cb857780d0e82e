import t from 'tap';
import { missingOperatorSso, readOperatorProvider } from '../src/sso/operator-provider.js';

const CONFIG = {
  OPERATOR_SSO_ISSUER: 'https://login.example.com',
  OPERATOR_SSO_CLIENT_ID: 'verdict',
  OPERATOR_SSO_CLIENT_SECRET: 'x',
  OPERATOR_SSO_GROUPS: 'support=helpdesk, admin=a=b ,support=/staff/second line',
  OPERATOR_SSO_CLAIM: 'groups',
  SECRETS_KEY: 'x',
};

t.test('an issuer needs the client, its secret, the groups and a key for cookies', async (t) => {
  t.same(missingOperatorSso(CONFIG), []);
  t.same(missingOperatorSso({ OPERATOR_SSO_CLAIM: 'groups' }), [], 'none of them is needed without one');
  const { OPERATOR_SSO_ISSUER, OPERATOR_SSO_CLAIM } = CONFIG;
  t.same(
    missingOperatorSso({ OPERATOR_SSO_ISSUER, OPERATOR_SSO_CLAIM }).map((line) => line.split(' ')[0]),
    ['OPERATOR_SSO_CLIENT_ID', 'OPERATOR_SSO_CLIENT_SECRET', 'OPERATOR_SSO_GROUPS', 'SECRETS_KEY'],
  );
  t.equal(readOperatorProvider({ OPERATOR_SSO_CLAIM }), null);
});

t.test('the highest role of the groups counts, by their whole names', async (t) => {
  const roleOf = readOperatorProvider(CONFIG)?.roleOf ?? (() => null);
  t.equal(roleOf(['helpdesk', 'football']), 'support');
  t.equal(roleOf(['a=b', 'helpdesk']), 'admin');
  t.equal(roleOf(['/staff/second line']), 'support');
  for (const groups of [[], ['football'], ['Helpdesk'], ['helpdesk2'], ['a'], ['admin'], ['']])
    t.equal(roleOf(groups), null, groups.join());
});
