import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';

export function headline() {
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  return `\n  Verdict  ${version}   node ${process.versions.node} · ${process.platform} ${process.arch}\n`;
}

/**
 * What a newcomer needs to make the first check.
 * @param {{ publicPort: number, email: string, password: string, apiKey: string, dnsAnswering: boolean }} facts
 */
export function banner({ publicPort, email, password, apiKey, dnsAnswering }) {
  const base = `http://localhost:${publicPort}/api/v1/`;
  const dns = dnsAnswering
    ? ''
    : '\n  DNS unreachable: mail servers are not being checked; everything else is.\n';
  return `
  Dashboard   http://localhost:${publicPort}/
  API         ${base}
  Login       ${email} / ${password}
  API key     ${apiKey}
${dns}
  Try it:
    curl -s ${base}check/ \\
      -H 'X-API-Key: ${apiKey}' -H 'Content-Type: application/json' \\
      -d '{"email":"test@mailinator.com","ip":"203.0.113.7"}'

  Ctrl-C stops everything; data and logs stay in .data   ·   npm start -- --fresh begins anew
`;
}
