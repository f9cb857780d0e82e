import { PREFIX_LENGTHS_MAX } from '@verdict/domain/prefix-lengths.js';

/** The sentence for a network whose prefix length would be one too many. */
export const TOO_MANY_LENGTHS = `has a new prefix length, and your lists have networks of ${PREFIX_LENGTHS_MAX} lengths already; use one of these`;
