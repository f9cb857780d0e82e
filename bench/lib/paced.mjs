import autocannon from 'autocannon';

const CONNECTIONS = 64;

/**
 * Load at a given rate, which wrk cannot: enough connections that a slow answer does not slow the rate.
 * @param {{ url: string, apiKey: string, bodies: string[], perSecond: number, seconds: number }} load
 */
export async function paced({ url, apiKey, bodies, perSecond, seconds }) {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const outcome = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    overallRate: perSecond,
    requests: bodies.map((body) => ({ method: 'POST', headers, body })),
  });
  return { answered: outcome['2xx'], failures: outcome.non2xx + outcome.errors + outcome.timeouts };
}
