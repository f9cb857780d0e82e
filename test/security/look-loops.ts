import { http } from '@verdict/local-stack/http.js';
import type { Test } from 'tap';
import type { WatchedGateway } from './watched-gateway.js';

/** One key in a loop over /usage/ took half a core of the control plane: every look was a sum over Postgres. */
const LOOKS = 400;
export const LOOKS_PER_SECOND = 20;

export async function lookLoops(t: Test, { gateway, asked, apiKey }: WatchedGateway): Promise<void> {
  const look = (path: string) =>
    http<{ code?: string; checks_used: number; checks_limit: number; upgrade_url: string }>(
      `${gateway.url}/api/v1/${path}`,
      { headers: { 'x-api-key': apiKey } },
    );

  t.test('a loop of looks reaches the control plane once a second, and is told to slow down', async (t) => {
    const beganAt = Date.now();
    const answers: Awaited<ReturnType<typeof look>>[] = [];
    const refusals = () => answers.filter(({ status }) => status === 429);
    // A machine that takes a second for forty of them is asked on until it was too fast.
    for (let i = 0; i < LOOKS || refusals().length === 0; i += 40) {
      answers.push(...(await Promise.all(Array.from({ length: 40 }, () => look('usage/')))));
    }
    const seconds = Math.ceil((Date.now() - beganAt) / 1000);
    t.ok(
      asked.count('/internal/accounts/') <= seconds + 1,
      `${asked.count('/internal/accounts/')} in ${seconds} s`,
    );
    const refused = refusals();
    t.ok(answers.filter(({ status }) => status === 200).length <= LOOKS_PER_SECOND * (seconds + 1));
    t.match(refused.at(-1)?.body, { code: 'rate_limited', checks_used: 0, upgrade_url: /^\// });
    t.ok(Number(refused[0]?.headers['retry-after']) > 0);
    const spent = await look('status/');
    t.ok(spent.status === 429 || spent.status === 200);
  });

  t.test('what a look tells of the counter is never old', async (t) => {
    const used = async () => {
      for (;;) {
        const { status, body } = await look('usage/');
        if (status === 200) return body.checks_used;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const before = await used();
    const checked = await http(`${gateway.url}/api/v1/check/`, {
      headers: { 'x-api-key': apiKey },
      json: { email: 'a@example.com' },
    });
    t.equal(checked.status, 200);
    t.equal(await used(), before + 1);
  });
}
