/** The names of one source as published, not yet checked or normalised. */
export interface Part {
  readonly names: readonly string[];
  /** The operator of a domain, if the source knows. */
  readonly operators: ReadonlyMap<string, string>;
  /** Names that the source itself saw in its last days, where it says when. */
  readonly fresh?: ReadonlySet<string>;
}

const SEEN_OF_LATE = '+';

/** A stored part: one name a line, after a tab its operator, after another a mark if it was seen recently. */
export function writePart({ names, operators, fresh }: Part): string {
  const lines = names.map((name) => {
    const operator = operators.get(name);
    if (fresh?.has(name)) return `${name}\t${operator ?? ''}\t${SEEN_OF_LATE}`;
    return operator === undefined ? name : `${name}\t${operator}`;
  });
  return `${lines.join('\n')}\n`;
}

export function readPart(text: string): Part {
  const operators = new Map<string, string>();
  const fresh = new Set<string>();
  const names = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', operator = '', seen] = line.split('\t');
      if (operator !== '') operators.set(name, operator);
      if (seen === SEEN_OF_LATE) fresh.add(name);
      return name;
    });
  return { names, operators, fresh };
}
