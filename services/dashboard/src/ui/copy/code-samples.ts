import { CHECK_PATH } from '@verdict/contracts/api-paths.js';

export interface SampleCall {
  readonly key: string;
  readonly email: string;
  readonly ip?: string;
}

const url = (): string => `${window.location.origin}${CHECK_PATH}`;
const bodyOf = ({ email, ip }: SampleCall): string => JSON.stringify(ip ? { email, ip } : { email });

/** In single quotes for a shell, whatever the text holds. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const curlCall = (call: SampleCall): string =>
  `curl -s ${url()} \\
  -H 'X-API-Key: ${call.key}' \\
  -H 'Content-Type: application/json' \\
  -d ${quoted(bodyOf(call))}`;

export const typescriptCall = (call: SampleCall): string =>
  `const response = await fetch('${url()}', {
  method: 'POST',
  headers: {
    'X-API-Key': '${call.key}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${bodyOf(call)}),
  signal: AbortSignal.timeout(1000),
});
const check = await response.json();
if (!response.ok) throw new Error(\`\${check.code}: \${check.error}\`);
console.log(check.decision, check.risk_score, check.reasons);`;

export const pythonCall = (call: SampleCall): string =>
  `import json, urllib.request

request = urllib.request.Request(
    "${url()}",
    data=json.dumps(${bodyOf(call)}).encode(),
    headers={
        "X-API-Key": "${call.key}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request, timeout=1) as response:
    check = json.load(response)
print(check["decision"], check["risk_score"], check["reasons"])`;
