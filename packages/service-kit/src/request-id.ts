/** A client's own id is kept when it is harmless in a header and in a log line. */
const SAFE = /^[A-Za-z0-9._:-]{1,128}$/;

export function acceptedRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && SAFE.test(header) ? header : undefined;
}
