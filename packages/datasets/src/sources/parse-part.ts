import type { Part } from './part.js';
import type { Reading } from './source.js';

const FRESH_SECONDS = 30 * 86_400;
const QUOTED = /'([^'\\\n]*)'|"([^"\\\n]*)"/g;

/** Finds the names in what a source published. Throws when it has another form than the table says. */
export function parsePart(bytes: Buffer, reading: Reading): Part {
  const text = bytes.toString('utf8');
  switch (reading.format) {
    case 'lines':
      return part(text.split('\n').map((line) => line.replace(/#.*$/, '')));
    case 'quoted':
      return part(
        [...between(text, reading).matchAll(QUOTED)].map(([, single, double]) => single ?? double ?? ''),
      );
    case 'json': {
      const names = field(JSON.parse(text), reading.at);
      if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
        throw new Error('is not a list of names');
      return part(names);
    }
    case 'json-keys': {
      const document: unknown = JSON.parse(text);
      const entries = field(document, reading.at);
      if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
        throw new Error('is not an object of names');
      return {
        ...part(Object.keys(entries), operatorsOf(entries as Record<string, unknown>, reading.operator)),
        fresh: freshOf(entries as Record<string, unknown>, document, reading.seen),
      };
    }
  }
}

function part(raw: readonly string[], operators: ReadonlyMap<string, string> = new Map()): Part {
  // A tab or a line feed inside a name would break the resting form.
  const names = raw.map((name) => name.trim()).filter((name) => name !== '' && !/[\t\n\r]/.test(name));
  return { names: [...new Set(names)], operators };
}

function between(text: string, { after, before }: Reading): string {
  const start = after === undefined ? 0 : text.indexOf(after);
  if (start === -1) throw new Error(`does not hold "${after}"`);
  const end = before === undefined ? text.length : text.indexOf(before, start);
  if (end === -1) throw new Error(`does not hold "${before}"`);
  return text.slice(start + (after?.length ?? 0), end);
}

function field(document: unknown, name: string | undefined): unknown {
  if (name === undefined) return document;
  return (document as Record<string, unknown> | null)?.[name];
}

function freshOf(
  entries: Record<string, unknown>,
  document: unknown,
  seen: Reading['seen'],
): ReadonlySet<string> {
  const made = seen === undefined ? undefined : field(document, seen.made);
  if (seen === undefined || typeof made !== 'number') return new Set();
  return new Set(
    Object.keys(entries).filter((name) => {
      const last = field(entries[name], seen.last);
      return typeof last === 'number' && last >= made - FRESH_SECONDS;
    }),
  );
}

function operatorsOf(entries: Record<string, unknown>, name: string | undefined): Map<string, string> {
  const operators = new Map<string, string>();
  if (name === undefined) return operators;
  for (const [domain, entry] of Object.entries(entries)) {
    const operator = field(entry, name);
    // "static" is the crawler's word for names typed in by hand.
    if (typeof operator === 'string' && operator !== 'static' && /^[\w.-]+$/.test(operator))
      operators.set(domain, operator);
  }
  return operators;
}
