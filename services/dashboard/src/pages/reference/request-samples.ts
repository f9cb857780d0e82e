import type { Operation } from './operations.ts';

const CREDENTIAL = {
  apiKey: ['X-API-Key', 'vrd_live_…'],
  bearer: ['Authorization', 'Bearer …'],
} as const;

/** The same request in three languages, with a body to begin with where the operation takes one. */
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
  return { curl, TypeScript: typescript, Python: python };
}

const hasAny = (headers: object): boolean => Object.keys(headers).length > 0;

/** JSON as a Python literal: only the three bare words differ. */
const pythonOf = (json: string): string =>
  json.replace(/"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b/g, (part) =>
    part.startsWith('"') ? part : ({ true: 'True', false: 'False', null: 'None' }[part] ?? part),
  );
