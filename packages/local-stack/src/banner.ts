import type { SeededAccount } from './seed-account.js';
import type { ServiceName } from './start-service.js';

export interface BannerFacts {
  readonly port: number;
  /** Where this machine reaches it. */
  readonly host: string;
  /** Others reach it too. */
  readonly shared: boolean;
  readonly account: SeededAccount;
  readonly metrics: Readonly<Record<ServiceName, number>>;
  readonly isDnsAnswering: boolean;
}

/** The text for the first check. */
export function banner({ port, host, shared, account, metrics, isDnsAnswering }: BannerFacts): string {
  const site = `http://${host === '127.0.0.1' ? 'localhost' : host}:${port}/`;
  const base = `${site}api/v1/`;
  const notes = [
    ...(isDnsAnswering ? [] : ['DNS unreachable: mail servers are not being checked; everything else is.']),
    ...(shared ? ['Other machines reach it too, and without TLS: put a proxy before it that has it.'] : []),
  ];
  return `
  Dashboard   ${site}
  API         ${base}
  Login       ${account.email} / ${account.password}
  API key     ${account.apiKey}
  Metrics     ${Object.entries(metrics)
    .map(([name, internal]) => `${name} ${internal}`)
    .join(' · ')}   (http://127.0.0.1:PORT/metrics)
${notes.map((note) => `\n  ${note}\n`).join('')}
  Try it:
    curl -s ${base}check/ \\
      -H 'X-API-Key: ${account.apiKey}' -H 'Content-Type: application/json' \\
      -d '{"email":"test@mailinator.com","ip":"203.0.113.7"}'

  Ctrl-C stops everything; data and logs stay in .data   ·   npm start -- --fresh begins anew
`;
}
