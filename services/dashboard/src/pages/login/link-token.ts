/** Reads the token behind the # of a link in a mail, where no server sees it; null without one. */
export const linkToken = (): string | null =>
  new URLSearchParams(window.location.hash.slice(1)).get('token') || null;
