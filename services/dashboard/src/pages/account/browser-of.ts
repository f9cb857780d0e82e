const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

const find = (table: typeof BROWSERS, agent: string): string | undefined =>
  table.find(([pattern]) => pattern.test(agent))?.[1];

/** "Firefox on Linux", or what the program calls itself. */
export function browserOf(agent: string): string {
  const browser = find(BROWSERS, agent);
  const system = find(SYSTEMS, agent);
  if (!browser) return agent.slice(0, 60);
  return system ? `${browser} on ${system}` : browser;
}
