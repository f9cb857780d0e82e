import { verdictApiKey, verdictUrl } from './config.js';

interface Refusal {
  readonly error?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

/** Calls the API with VERDICT_API_KEY. Throws the sentences of a refusal on one line. */
export async function callApi<T>(
  path: string,
  { method = 'GET', json }: { method?: string; json?: object } = {},
) {
  const address = new URL(path, verdictUrl());
  const answer = await fetch(address, {
    method,
    headers: {
      'x-api-key': verdictApiKey(),
      ...(json && { 'content-type': 'application/json' }),
    },
    ...(json && { body: JSON.stringify(json) }),
  }).catch(() => {
    throw new Error(`Verdict cannot be reached at ${address.origin} (VERDICT_URL)`);
  });
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return body as T;
  const { error, errors = [] } = (body ?? {}) as Refusal;
  const [first] = errors.map(({ field, message }) => `${field}: ${message}`);
  throw new Error(first ?? error ?? `Verdict answered with ${answer.status}`);
}
