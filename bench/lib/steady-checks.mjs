import autocannon from 'autocannon';

/**
 * Single checks at a steady rate, no address twice, beside something else. `stop` ends them early.
 * @param {{ url: string, apiKey: string, perSecond: number, seconds: number }} load
 */
export function steadyChecks({ url, apiKey, perSecond, seconds }) {
  let n = 0;
  const run = autocannon({
    url,
    connections: 8,
    duration: seconds,
    overallRate: perSecond,
    requests: [
      {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        setupRequest: (request) => ({ ...request, body: JSON.stringify({ email: `p${n++}@gmail.com` }) }),
      },
    ],
  });
  return {
    stop: () => run.stop(),
    waits: async () => {
      const { latency, requests, non2xx, errors } = await run;
      return {
        p50Ms: latency.p50,
        p99Ms: latency.p99,
        meanMs: latency.average,
        sent: requests.total,
        refused: non2xx + errors,
      };
    },
  };
}
