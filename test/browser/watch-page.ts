import type { BrowserContext } from 'playwright-core';

export interface Watch {
  /** Requests that left the origin: there must be none. */
  readonly foreign: string[];
  /** Violations of the content security policy, and script errors. */
  readonly refused: string[];
}

/** Looks at everything that the pages of a context ask for and complain about; `elsewhere` are servers that it may leave for. */
export function watchPages(
  context: BrowserContext,
  origin: string,
  elsewhere: readonly string[] = [],
): Watch {
  const watch: Watch = { foreign: [], refused: [] };
  context.on('request', (request) => {
    const url = request.url();
    const isOurs = [origin, ...elsewhere].some((one) => url.startsWith(`${one}/`));
    if (!isOurs && !url.startsWith('data:') && !url.startsWith('blob:')) watch.foreign.push(url);
  });
  context.on('console', (message) => {
    // A style sheet that the gateway answers with an error, because the control plane is away, breaks no policy.
    if (/Refused to apply style.*'application\/json'/.test(message.text())) return;
    if (/content security policy|Refused to/i.test(message.text())) watch.refused.push(message.text());
  });
  context.on('weberror', (error) => watch.refused.push(String(error.error())));
  return watch;
}
