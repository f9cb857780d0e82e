/** The text for the first check. */
export function banner(
  site: string,
  account: Readonly<Record<'email' | 'password' | 'api_key', string>>,
  metrics: readonly string[],
  notes: readonly string[],
): string {
  const base = `${site}api/v1/`;
  return `
  Dashboard   ${site}
  API         ${base}
  Login       ${account.email} / ${account.password}
  API key     ${account.api_key}
  Metrics     ${metrics.join(' · ')}   (http://127.0.0.1:PORT/metrics)
${notes.map((note) => `\n  ${note}\n`).join('')}
  Try it:
    curl -s ${base}check/ \\
      -H 'X-API-Key: ${account.api_key}' -H 'Content-Type: application/json' \\
      -d '{"email":"test@mailinator.com","ip":"203.0.113.7"}'

  Ctrl-C stops everything; data and logs stay in .data   ·   npm start -- --fresh starts over
`;
}
