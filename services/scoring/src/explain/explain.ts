import type { ExplainRequest, Explanation } from '@verdict/contracts/scoring-api.js';
import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { loadDatasets } from '@verdict/datasets/load-datasets.js';
import { findRelease, type Release } from '@verdict/datasets/releases/release-index.js';
import type { ReleaseReader } from '@verdict/datasets/releases/release-reader.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { decisionForScore } from '@verdict/domain/decision.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Scorer } from '../score/scorer.js';
import { findListings, type Listing } from './find-listings.js';
import { findSince, type Since } from './find-since.js';

interface ExplainerOptions {
  readonly current: () => Scorer;
  /** A scorer with the same look-ups and other lists. */
  readonly scorerOf: (datasets: DatasetSnapshot) => Scorer;
  readonly releases: ReleaseReader | undefined;
}

/** Look-ups for explanations have a separate budget. */
const OWNER = 'operator';
const SHIPPED = 'shipped';

/** Scores an address once more, and says which lists, sources and releases are behind the answer. */
export function createExplainer({ current, scorerOf, releases }: ExplainerOptions) {
  /** One at a time: an older release takes as much memory as the current one for the moment it is needed. */
  let turn: Promise<unknown> = Promise.resolve();

  async function explainNow({ email, datasets: wanted }: ExplainRequest): Promise<Explanation> {
    const parsed = parseEmail(email);
    if (!parsed.ok) throw invalidField('email', parsed.message);
    const kept = (await releases?.index())?.releases ?? [];
    const scorer = wanted === undefined ? current() : await openOlder(wanted, kept);
    const data = scorer.datasets;
    const listings = findListings(parsed.address, data);
    const since = await sinceWhen(data, kept, listings);
    const verdict = await scorer.score(parsed.address, OWNER);
    return {
      email: parsed.address.canonical,
      release: data.release ?? SHIPPED,
      datasets: data.versions,
      decision: decisionForScore(verdict.risk_score),
      risk_score: verdict.risk_score,
      signals: verdict.signals,
      extra: verdict.extra,
      factors: verdict.factors,
      evidence: listings.map((listing, position) => ({
        ...listing,
        since: since[position]?.since ?? SHIPPED,
        or_earlier: since[position]?.orEarlier ?? true,
      })),
    };
  }

  async function openOlder(wanted: string, kept: readonly Release[]): Promise<Scorer> {
    const release = findRelease(kept, wanted);
    if (releases === undefined || release === undefined) {
      const which =
        kept.length === 0 ? 'no release is kept here' : `kept are ${kept.map(({ id }) => id).join(', ')}`;
      throw invalidField('datasets', `there is no release of ${wanted} or before: ${which}`);
    }
    return scorerOf(await loadDatasets(releases.open(release)));
  }

  async function sinceWhen(
    { release, versions }: DatasetSnapshot,
    kept: readonly Release[],
    listings: readonly Listing[],
  ): Promise<Since[]> {
    const from = kept.findIndex(({ id }) => id === release);
    if (releases !== undefined && from !== -1) return findSince(releases, kept.slice(from), listings);
    return listings.map(() => ({
      since: `${SHIPPED} ${versions.disposable_domains.version}`,
      orEarlier: true,
    }));
  }

  return {
    explain(request: ExplainRequest) {
      const answer = turn.then(() => explainNow(request));
      turn = answer.catch(() => undefined);
      return answer;
    },
  };
}
