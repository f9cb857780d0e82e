import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';

/**
 * Sends exactly so many checks; any answer but 200 ends the run.
 * @param {{ url: string, keys: string, bodies: string, connections: number, count: number }} load
 */
export async function sendChecks({ url, keys, bodies, connections, count }) {
  const [ownKeys, lines] = [keys, bodies].map((file) => readFileSync(file, 'utf8').trim().split('\n'));
  const agent = new Agent({ connections, pipelining: 1 });
  let sent = 0;
  async function client() {
    while (sent < count) {
      const at = sent++;
      const [body, key] = [lines[at % lines.length], ownKeys[at % ownKeys.length]];
      const answer = await request(url, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body,
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`a check answered ${answer.statusCode}: ${text}`);
    }
  }
  await Promise.all(Array.from({ length: connections }, client));
  await agent.close();
}
