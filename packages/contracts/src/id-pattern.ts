/** The form of an id: a prefix and a ULID in Crockford's base 32, which has no I, L, O or U. Without anchors. */
export const idPattern = (prefix = '[a-z]{3}'): string => `${prefix}_[0-9A-HJKMNP-TV-Z]{26}`;
