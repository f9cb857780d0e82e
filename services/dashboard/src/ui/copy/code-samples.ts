import { API_PREFIX, CHECK_PATH } from '@verdict/contracts/api-paths.js';

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

const NODE_PACKAGE = '@verdict/sdk';
const base = (): string => `${window.location.origin}${API_PREFIX}/`;
const inPython = (text: string): string => JSON.stringify(text);

const nodeCall = ({ key, email, ip }: SampleCall): string =>
  `import { Verdict } from '${NODE_PACKAGE}';

const verdict = new Verdict({
  apiKey: '${key}',
  baseUrl: '${base()}',
  fallback: 'challenge',
});
const check = await verdict.check(${JSON.stringify(ip ? { email, ip } : { email })});
console.log(check.decision, check.risk_score, check.reasons);`;

const pythonCall = ({ key, email, ip }: SampleCall): string =>
  `from verdict import Verdict

verdict = Verdict("${key}", "${base()}", fallback="challenge")
check = verdict.check(${inPython(email)}${ip ? `, ip=${inPython(ip)}` : ''})
print(check.decision, check.risk_score, check.reasons)`;

/** In single quotes for PHP, whatever the text holds. */
const inPhp = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const phpCall = ({ key, email, ip }: SampleCall): string =>
  `require 'vendor/autoload.php';

use Verdict\\Verdict;

$verdict = new Verdict('${key}', '${base()}', fallback: 'challenge');
$check = $verdict->check(${inPhp(email)}${ip ? `, ip: ${inPhp(ip)}` : ''});
echo $check->decision, ' ', $check->riskScore, "\\n";`;

/** The tabs of every sample, by the names that people know. */
export const CALL_SAMPLES: Readonly<Record<string, (call: SampleCall) => string>> = {
  curl: curlCall,
  Node: nodeCall,
  Python: pythonCall,
  PHP: phpCall,
};
