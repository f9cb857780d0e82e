/** Content security policy of printed pages: their styles are in them, and nothing else may come. */
export const PAPER_POLICY = "default-src 'none'; style-src 'unsafe-inline'";
