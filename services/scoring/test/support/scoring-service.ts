import type { AddressInfo } from 'node:net';
import { SCORE_PATH, type ScoreHeader, type ScoreLine } from '@verdict/contracts/scoring-api.js';
import { closeApp } from '@verdict/service-kit/close-app.js';
import { readConfig } from '@verdict/service-kit/config.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import { createApp } from '../../src/app.js';
import { ScoringConfigSchema } from '../../src/config.js';
import { createDependencies, type Dependencies } from '../../src/dependencies.js';

export interface ScoringService {
  readonly url: string;
  readonly deps: Dependencies;
  post(body: unknown): Promise<Response>;
  /** Scores and returns the lines in the order of the request. */
  score(...emails: string[]): Promise<{ header: ScoreHeader; lines: ScoreLine[] }>;
  close(): Promise<void>;
}

/** The real service on a free port, configured as the environment would. */
export async function startScoring(environment: Record<string, string>): Promise<ScoringService> {
  const config = readConfig(ScoringConfigSchema, { PORT: '0', LOG_LEVEL: 'silent', ...environment });
  const deps = await createDependencies(config, createLogger('scoring', config.LOG_LEVEL));
  const { app, inFlight } = createApp(deps, null);
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
        v: 1,
        checks: emails.map((email) => ({ email, account_id: 'acc_test' })),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${response.status} ${text}`);
      const [header, ...lines] = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
      return {
        header: header as ScoreHeader,
        lines: (lines as ScoreLine[]).toSorted((a, b) => a.i - b.i),
      };
    },
    async close() {
      await closeApp(app, inFlight);
      deps.close();
    },
  };
}
