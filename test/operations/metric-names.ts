const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);

/** Names of the metrics that a PromQL expression reads. */
export function metricNames(expression: string): string[] {
  const bare = expression
    .replace(/"(?:[^"\\]|\\.)*"/g, ' ')
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ');
  const names = new Set<string>();
  for (const match of bare.matchAll(/(?<![\w:.])([a-zA-Z_:][\w:]*)(\s*\()?/g)) {
    const [, name = '', call] = match;
    if (!call && !KEYWORDS.has(name.toLowerCase())) names.add(name);
  }
  return [...names];
}

/** The name that a scrape declares: a histogram is one metric with three kinds of samples, and a counter ends with _total. */
export const declaredName = (sample: string, declared: ReadonlySet<string>): string =>
  declared.has(sample) ? sample : sample.replace(/_(bucket|sum|count|total)$/, '');
