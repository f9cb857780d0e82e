import type { Operation } from './operations.ts';

const CREDENTIAL = {
  apiKey: ['X-API-Key', 'vrd_live_…'],
  bearer: ['Authorization', 'Bearer …'],
} as const;

/** The same request in four languages, with a body to begin with where the operation takes one. */
export function requestSamples({ method, path, auth }: Operation, origin: string, body: unknown) {
  const url = `${origin}${path}`;
  const verb = method.toUpperCase();
  const headers = Object.fromEntries([
    ...(auth === 'none' ? [] : [CREDENTIAL[auth]]),
    ...(body === undefined ? [] : [['Content-Type', 'application/json']]),
  ]);
  const json = JSON.stringify(body);
  const curl = [
    `curl -s${verb === 'GET' ? '' : ` -X ${verb}`} '${url}'`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(json === undefined ? [] : [`-d '${json.replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');
  const typescript = `const response = await fetch('${url}', {
  method: '${verb}',${hasAny(headers) ? `\n  headers: ${JSON.stringify(headers)},` : ''}${json === undefined ? '' : `\n  body: JSON.stringify(${json}),`}
});
console.log(response.status, await response.json());`;
  const python = `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    method="${verb}",${hasAny(headers) ? `\n    headers=${JSON.stringify(headers)},` : ''}${json === undefined ? '' : `\n    data=json.dumps(${pythonOf(json)}).encode(),`}
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`;
  const lines = Object.entries(headers).map(([name, value]) => inPhp(`${name}: ${value}`));
  const php = `$curl = curl_init(${inPhp(url)});
curl_setopt_array($curl, [
    CURLOPT_CUSTOMREQUEST => '${verb}',
    CURLOPT_RETURNTRANSFER => true,${hasAny(headers) ? `\n    CURLOPT_HTTPHEADER => [${lines.join(', ')}],` : ''}${json === undefined ? '' : `\n    CURLOPT_POSTFIELDS => ${inPhp(json)},`}
]);
echo curl_exec($curl);`;
  return { curl, Node: typescript, Python: python, PHP: php };
}

/** In single quotes for PHP, whatever the text holds. */
const inPhp = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const hasAny = (headers: object): boolean => Object.keys(headers).length > 0;

/** JSON as a Python literal: only the three bare words differ. */
const pythonOf = (json: string): string =>
  json.replace(/"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b/g, (part) =>
    part.startsWith('"') ? part : ({ true: 'True', false: 'False', null: 'None' }[part] ?? part),
  );
