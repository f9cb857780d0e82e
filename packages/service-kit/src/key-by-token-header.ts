/** A token as @fastify/jwt shows it before it is verified: decoded whole, or its header alone. */
type Shown = { readonly header: { readonly kid?: string } } | { readonly kid?: string };

/** Finds the key that a token names. There may be several: that is how keys are rotated. */
export function keyByTokenHeader(
  keys: ReadonlyMap<string, string>,
): (request: unknown, token: Shown) => Promise<string> {
  return async (_request, token) => {
    const key = keys.get(('header' in token ? token.header.kid : token.kid) ?? '');
    if (!key) throw new Error('unknown key id');
    return key;
  };
}
