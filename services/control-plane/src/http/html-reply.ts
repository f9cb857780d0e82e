import { Type } from 'typebox';

/** A successful reply as a page; failures stay JSON. */
export const HtmlReplySchema = {
  description: 'A page that needs nothing else',
  content: { 'text/html': { schema: Type.String() } },
};

/** Its styles are in it, and nothing else may come. */
export const PAPER_POLICY = "default-src 'none'; style-src 'unsafe-inline'";
