import { http } from '@verdict/local-stack/http.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';
import type { Test } from 'tap';

export const REGISTRATIONS_PER_HOUR = 3;

/** A customer of any provider has 2^64 addresses of IPv6: they are one client. */
export async function oneNetwork(t: Test, stack: TestStack): Promise<void> {
  const register = (address: string, name: string) =>
    http(`${stack.baseUrls[0]}auth/users/`, {
      headers: { 'x-forwarded-for': address },
      json: { email: `${name}@example.com`, password: 'vivid-otter-harbour-9' },
    });

  t.test('new accounts are limited by network, not by address', async (t) => {
    const statuses: number[] = [];
    for (let i = 1; i <= 6; i++) statuses.push((await register(`2001:db8:1:2::${i}`, `a${i}`)).status);
    t.same(statuses, [201, 201, 201, 429, 429, 429]);
    t.equal((await register('2001:db8:1:3::1', 'b')).status, 201, 'the next network has its own');
  });
}
