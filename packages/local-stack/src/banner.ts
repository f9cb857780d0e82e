import type { SeededAccount } from './seed-account.js';

/** What a newcomer needs to make the first check. */
export function banner(port: number, account: SeededAccount, isDnsAnswering: boolean): string {
  const base = `http://localhost:${port}/api/v1/`;
  const dns = isDnsAnswering
    ? ''
    : '\n  DNS unreachable: mail servers are not being checked; everything else is.\n';
  return `
  Dashboard   http://localhost:${port}/
  API         ${base}
  Login       ${account.email} / ${account.password}
  API key     ${account.apiKey}
${dns}
  Try it:
    curl -s ${base}check/ \\
      -H 'X-API-Key: ${account.apiKey}' -H 'Content-Type: application/json' \\
      -d '{"email":"test@mailinator.com","ip":"203.0.113.7"}'

  Ctrl-C stops everything; data and logs stay in .data   ·   npm start -- --fresh begins anew
`;
}
