/** What one source says, as it says it: names are not yet checked or brought into one form. */
export interface Part {
  readonly names: readonly string[];
  /** Who runs a domain, where the source knows. */
  readonly operators: ReadonlyMap<string, string>;
}

/** A part in its resting form: one name a line, its operator behind a tab. */
export function writePart({ names, operators }: Part): string {
  const lines = names.map((name) => {
    const operator = operators.get(name);
    return operator === undefined ? name : `${name}\t${operator}`;
  });
  return `${lines.join('\n')}\n`;
}

export function readPart(text: string): Part {
  const operators = new Map<string, string>();
  const names = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', operator] = line.split('\t');
      if (operator !== undefined) operators.set(name, operator);
      return name;
    });
  return { names, operators };
}
