import { randomBytes } from 'node:crypto';
import { request } from 'undici';

/** Customers with different features, each by the public API alone, so that any release can be asked. */
export const FEATURES = ['plain', 'lists', 'policy', 'networks', 'test key', 'key quota', 'all', 'bound key'];

const ENTRIES = [
  ['block', { value: 'listed.bench-corp.com' }],
  ['block', { value: '45.12.7.0/24' }],
  ['allow', { value: 'jane.doe7@gmail.com', match: 'mailbox' }],
  ['allow', { value: '198.18.9.7' }],
];
const rule = (name, when, then) => ({ name, when: { all: [when] }, then });
const RULES = [
  rule('Never seen', { field: 'seen.mailbox', op: 'gte', value: 3 }, { exactly: 'review' }),
  rule('Free', { field: 'signals.free_provider', op: 'eq', value: true }, { at_least: 'challenge' }),
];
const NETWORK_RULES = [rule('Hosted', { field: 'ip.kind', op: 'ne', value: null }, { exactly: 'block' })];

/** @param {string} baseUrl @param {string} feature @returns {Promise<string>} its API key */
export async function makeCustomer(baseUrl, feature) {
  let authorization;
  async function call(method, path, body) {
    const answer = await request(`${baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
  }
  const user = { email: `${randomBytes(8).toString('hex')}@example.com`, password: 'vivid-otter-harbour-9' };
  await call('POST', 'auth/users/', user);
  authorization = `Bearer ${(await call('POST', 'auth/jwt/create/', user)).access}`;
  const has = (...features) => features.includes(feature) || feature === 'all';
  if (has('lists')) for (const [list, entry] of ENTRIES) await call('POST', `lists/${list}/`, entry);
  const rules = [...(has('policy') ? RULES : []), ...(has('networks') ? NETWORK_RULES : [])];
  if (rules.length > 0) {
    const { version } = (await call('POST', 'policies/', { rules })).policy;
    await call('PUT', 'policies/shadow/', { version });
    await call('PUT', 'policies/live/', { version, really: true });
  }
  const terms = {
    'test key': { mode: 'test' },
    'key quota': { monthly_quota: 400 },
    'bound key': { allowed_ips: ['127.0.0.0/8'] },
  };
  return (await call('POST', 'dashboard/keys/', { name: feature, ...terms[feature] })).api_key;
}
