import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';

/**
 * Sends exactly so many checks; any answer but 200 ends the run.
 * @param {{ url: string, apiKey: string, bodies: string, connections: number, count: number }} load
 */
export async function sendChecks({ url, apiKey, bodies, connections, count }) {
  const lines = readFileSync(bodies, 'utf8').trim().split('\n');
  const agent = new Agent({ connections, pipelining: 1 });
  let sent = 0;
  async function client() {
    while (sent < count) {
      // A line may begin with a key and a tab.
      const [body, key = apiKey] = lines[sent++ % lines.length].split('\t').reverse();
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
