import type { Admission } from '@verdict/admission/admission.js';
import type { Looks } from '../looks/looks.js';
import { type ChecksQuestion, type Looked, lookAtChecks } from './look-at-checks.js';
import { type Batch, type Item, readBatch } from './read-batch.js';
import { refuse } from './refuse.js';

interface BatchQuestion extends Omit<ChecksQuestion, 'count'> {
  /** Whose rate a refusal spends. */
  readonly waster: string;
}

export interface AdmittedBatch {
  readonly batch: Batch;
  /** Left out for a single item, which is looked at only where a check would be. */
  readonly seen: Looked | undefined;
}

/**
 * Compares the items with the rate before it parses an address, because parsing is what they cost. A quota that is too
 * short for all of them may still cover those that are well-formed, so it is asked again about these.
 */
export async function admitBatch(
  deps: { readonly admission: Pick<Admission, 'look'>; readonly looks: Pick<Looks, 'noteSeen'> },
  { waster, ...request }: BatchQuestion,
  items: readonly Item[],
): Promise<AdmittedBatch> {
  if (items.length === 1) return { batch: await readBatch(items), seen: undefined };
  const seen = await lookAtChecks(deps, { ...request, count: items.length });
  if (seen.state === 'granted' || seen.state === 'replay') return { batch: await readBatch(items), seen };
  if ('account' in seen) deps.looks.noteSeen(waster, seen.account);
  const mayFit = 'account' in seen && seen.state !== 'rate' && items.length <= seen.account.rateLeft;
  const batch = mayFit ? await readBatch(items) : null;
  if (!batch || batch.inputs.length === items.length) throw refuse(seen, request.caller, items.length);
  return { batch, seen: await lookAtChecks(deps, { ...request, count: batch.inputs.length }) };
}
