import type { Factor } from '@verdict/contracts/verdict.js';
import { disposableDomain } from '../signals/disposable-domain.js';
import { dnsIndeterminate } from '../signals/dns-indeterminate.js';
import { likelyTypo } from '../signals/likely-typo.js';
import type { Signal } from '../signals/signal.js';
import type { Finding } from './finding.js';

const SCORE_MAX = 100;
const BLOCK_FROM = 80;
const REVIEW_MAX = BLOCK_FROM - 1;

/**
 * Adds up findings: the strongest hard one and all soft ones in order, cut at 100, so that the shown points always
 * equal the score. Beside a typo nothing passes review unless the domain is a disposable service, because a person who
 * slipped must not be refused; an unfinished look-up never lifts a score to block.
 */
export function addUp(found: readonly Finding[]): { score: number; factors: Factor[] } {
  const factors: Factor[] = [];
  let score = 0;
  const hard = found.filter(({ signal }) => signal.kind === 'hard');
  const strongest = findStrongest(hard);
  const most = isSlip(found) ? REVIEW_MAX : SCORE_MAX;
  const add = ({ signal, reason }: Finding, room: number) => {
    const points = Math.min(signal.points, room);
    factors.push({ code: signal.code, points, reason });
    score += points;
  };
  if (strongest !== undefined) add(strongest, most);
  for (const finding of hard) if (finding !== strongest) add(finding, 0);
  for (const finding of found)
    if (finding.signal.kind === 'soft')
      add(finding, roomFor(finding.signal, score, strongest !== undefined, most));
  return { score, factors };
}

function roomFor(signal: Signal, score: number, besideHard: boolean, most: number): number {
  if (signal === likelyTypo && besideHard) return 0;
  if (signal === dnsIndeterminate) return Math.max(0, REVIEW_MAX - score);
  return most - score;
}

function isSlip(found: readonly Finding[]): boolean {
  return (
    found.some(({ signal }) => signal === likelyTypo) &&
    !found.some(({ signal }) => signal === disposableDomain)
  );
}

function findStrongest(hard: readonly Finding[]): Finding | undefined {
  let strongest: Finding | undefined;
  for (const finding of hard)
    if (strongest === undefined || finding.signal.points > strongest.signal.points) strongest = finding;
  return strongest;
}
