/** What the link in a mail carries behind its #, where no server sees it; null when it is not there. */
export const linkToken = (): string | null =>
  new URLSearchParams(window.location.hash.slice(1)).get('token') || null;
