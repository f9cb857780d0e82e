import { readFileSync } from 'node:fs';
import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { LABELS_MIN, OUTCOMES, type Outcome } from '@verdict/domain/outcomes.js';
import type { Share } from '@verdict/domain/share-of.js';
import { type FactorCode, signals } from '@verdict/scoring/signals/signals.js';
import { parse } from 'csv-parse/sync';
import { countShare } from './count-share.js';
import { CHALLENGE, judgeAddresses } from './judge-names.js';

interface Labelled {
  readonly email: string;
  readonly outcome: Outcome;
}

const isOutcome = (text: string | undefined): text is Outcome => OUTCOMES.some((one) => one === text);

/** The labelled rows of a CSV file with the columns email and outcome; others, such as erased people, are left out. */
export function readLabels(file: string): Labelled[] {
  const rows = parse(readFileSync(file, 'utf8'), {
    columns: true,
    bom: true,
    skip_empty_lines: true,
    trim: true,
  });
  const labelled = (rows as Record<string, string>[]).flatMap(({ email, outcome }) =>
    email && isOutcome(outcome) ? [{ email, outcome }] : [],
  );
  if (labelled.length === 0) throw new Error(`${file}: no row has an email and an outcome`);
  return labelled;
}

interface Weight {
  readonly points: number;
  /** The share of genuine people among those it hit. */
  readonly genuine: Share;
  readonly too_few: boolean;
}

/** Measures each weight on people whose outcome is known, by the lists of today and without DNS. */
export function evaluateLabels(labels: readonly Labelled[], datasets: DatasetSnapshot) {
  const judged = labels.flatMap(({ email, outcome }) =>
    judgeAddresses([email], datasets).map(({ score, codes }) => ({
      score,
      codes,
      isGenuine: outcome === 'genuine',
    })),
  );
  const weights = signals.flatMap(({ code, points }): [FactorCode, Weight][] => {
    const hit = judged.filter(({ codes }) => codes.includes(code));
    if (hit.length === 0) return [];
    return [
      [
        code,
        { points, genuine: countShare(hit, ({ isGenuine }) => isGenuine), too_few: hit.length < LABELS_MIN },
      ],
    ];
  });
  const doubted = (isGenuine: boolean) =>
    countShare(
      judged.filter((one) => one.isGenuine === isGenuine),
      ({ score }) => score >= CHALLENGE,
    );
  return {
    labelled: judged.length,
    genuine: countShare(judged, ({ isGenuine }) => isGenuine),
    at_challenge_or_above: { genuine: doubted(true), others: doubted(false) },
    weights: Object.fromEntries(weights),
  };
}
