/** The network of a line; Apple publishes a place behind it. */
export const networkIn = (line: string): string => line.split(/[\s,]/, 1)[0] ?? '';
