export const TAG_LENGTH_MAX = 64;

/** A campaign or a form, never a person: '@' is not among the characters. */
export const TAG_PATTERN = `^[A-Za-z0-9][A-Za-z0-9 ._:/-]{0,${TAG_LENGTH_MAX - 1}}$`;
const TAG = new RegExp(TAG_PATTERN);

/** The fault of a tag; undefined when it has none. */
export const tagFault = (tag: string): string | undefined =>
  TAG.test(tag)
    ? undefined
    : `must have at most ${TAG_LENGTH_MAX} letters, digits, spaces and . _ : / -, and begin with a letter or digit`;

/** Tags of a month that are counted by name; checks with a later one are counted together. */
export const TAGS_PER_MONTH_MAX = 100;
/** The name under which they are stored, which no tag can have. */
export const LATER_TAGS = '';
