import type { Api } from '@verdict/contracts/routes/routes.js';
import type { Call, Reply } from './call.ts';
import { requestRaw } from './request.ts';

/** Routes that take a CSV file in place of their JSON. */
type CsvCall = {
  [C in Call]: Api[C] extends { readonly files: { readonly 'text/csv': object } } ? C : never;
}[Call];

/** Sends a CSV file to a route. */
export async function sendCsv<C extends CsvCall>(call: C, csv: Blob): Promise<Reply<C>> {
  const path = call.slice(call.indexOf('/'));
  return (await (await requestRaw({ method: 'POST', path, csv })).json()) as Reply<C>;
}
