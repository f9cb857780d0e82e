import type { AddressInfo } from 'node:net';
import { SCORE_PATH, SCORING_VERSION, type ScoreLine } from '@verdict/contracts/scoring-api.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import { closeApp } from '@verdict/service-kit/close-app.js';
import { readConfig } from '@verdict/service-kit/config.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import type { Tracing } from '@verdict/telemetry/tracing.js';
import { createApp } from '../../src/app.js';
import { ScoringConfigSchema } from '../../src/config.js';
import { createDependencies, type Dependencies } from '../../src/dependencies.js';

export interface ScoringService {
  readonly url: string;
  readonly deps: Dependencies;
  post(body: unknown): Promise<Response>;
  /** Scores: what came over the wire, and a verdict per check in the order of the request. */
  score(...emails: string[]): Promise<{ answer: ScoreLine[]; lines: Verdict[] }>;
  close(): Promise<void>;
}

/** The real service on a free port, configured as the environment would. */
export async function startScoring(
  environment: Record<string, string>,
  tracing: Tracing | null = null,
): Promise<ScoringService> {
  const config = readConfig(ScoringConfigSchema, { PORT: '0', LOG_LEVEL: 'silent', ...environment });
  const deps = await createDependencies(config, createLogger('scoring', config.LOG_LEVEL), tracing);
  const { app, inFlight } = createApp(deps);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const post = (body: unknown) =>
    fetch(url + SCORE_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  return {
    url,
    deps,
    post,
    async score(...emails) {
      const response = await post({
        v: SCORING_VERSION,
        checks: emails.map((email) => ({ email, account_id: 'acc_test' })),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${response.status} ${text}`);
      const answer = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as ScoreLine);
      const lines: Verdict[] = [];
      for (const { checks, verdicts } of answer) {
        for (const { i, verdict } of checks) lines[i] = verdicts[verdict] as Verdict;
      }
      return { answer, lines };
    },
    async close() {
      await closeApp(app, inFlight);
      deps.close();
    },
  };
}
