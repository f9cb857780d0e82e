import type { DatasetSnapshot } from '../dataset-snapshot.js';
import { isConfirmed } from '../evidence.js';

export interface LabelledSet {
  /** Companies, universities, authorities and mail hosts that people really write from. */
  readonly genuine: readonly string[];
  /** Throw-away services that have stood for years. */
  readonly disposable: readonly string[];
}

/** The labelled names that may be lost from one release to the next. */
const RECALL_LOSS_MAX = 0.05;

export function readLabelled(lines: readonly string[]): LabelledSet {
  const of = (label: string) =>
    lines.filter((line) => line.startsWith(`${label} `)).map((line) => line.slice(label.length + 1));
  return { genuine: of('genuine'), disposable: of('disposable') };
}

/** Asks the data itself about names whose answer is known. A sentence about what it gets wrong, or undefined. */
export function evaluateCanary(
  { genuine, disposable }: LabelledSet,
  next: DatasetSnapshot,
  before: DatasetSnapshot,
): string | undefined {
  const touched = genuine.filter(
    (name) => next.disposable.find(name) !== undefined && before.disposable.find(name) === undefined,
  );
  if (touched.length > 0) return `it calls ${touched.slice(0, 5).join(', ')} disposable`;
  const recall = (data: DatasetSnapshot) =>
    disposable.filter((name) => isConfirmed(data.disposable.find(name)?.evidence ?? 0)).length;
  const [had, has] = [recall(before), recall(next)];
  if (had - has > disposable.length * RECALL_LOSS_MAX)
    return `it knows ${has} of ${disposable.length} lasting throw-away services, the release before knew ${had}`;
  return undefined;
}
