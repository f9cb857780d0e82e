import { Type } from 'typebox';

/** A success that is a page of its own; failures stay JSON. */
export const HtmlReplySchema = {
  description: 'A page that needs nothing else',
  content: { 'text/html': { schema: Type.String() } },
};

/** Its styles are in it, and nothing else may come. */
export const PAPER_POLICY = "default-src 'none'; style-src 'unsafe-inline'";
