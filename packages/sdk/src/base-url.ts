/** The address of the API with its last slash. A bare origin means version 1. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new TypeError(`baseUrl must be an http or https address, not ${JSON.stringify(text)}`);
  if (url.search || url.hash) throw new TypeError('baseUrl must have neither a query nor a fragment');
  if (url.pathname === '/') return `${url.href}api/v1/`;
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}
