import type { ExplainRequest, Explanation } from '@verdict/contracts/scoring-api.js';
import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { loadDatasets } from '@verdict/datasets/load-datasets.js';
import { findRelease, type Release } from '@verdict/datasets/releases/release-index.js';
import type { ReleaseReader } from '@verdict/datasets/releases/release-reader.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { decisionForScore } from '@verdict/domain/decision.js';
import { invalidField, unavailable } from '@verdict/service-kit/errors.js';
import { inTurn } from '@verdict/shares/in-turn.js';
import { createSemaphore } from '@verdict/shares/semaphore.js';
import type { Scorer } from '../score/scorer.js';
import { findListings, type Listing } from './find-listings.js';
import { findSince, type Since } from './find-since.js';

interface ExplainerOptions {
  readonly current: () => Scorer;
  /** A scorer with the same look-ups and other lists. */
  readonly scorerOf: (datasets: DatasetSnapshot) => Scorer;
  readonly releases: ReleaseReader | undefined;
}

/** On whose behalf, and until when. */
export interface Asker {
  readonly owner: string;
  readonly signal?: AbortSignal | undefined;
}

/** Texts of lists that are read at the same time, for the releases that an entry has been in. */
const READING_MAX = 4;
/** An older release takes as much memory as the current one for the moment it is needed. */
const OLDER_MAX = 1;
const QUEUE_MAX = 16;
const SHIPPED = 'shipped';

/** Scores an address once more, and says which lists, sources and releases are behind the answer. */
export function createExplainer({ current, scorerOf, releases }: ExplainerOptions) {
  const reading = createSemaphore({ capacity: READING_MAX, queueMax: QUEUE_MAX });
  const older = createSemaphore({ capacity: OLDER_MAX, queueMax: QUEUE_MAX });

  /** Look-ups are bounded by owner where they are made, and wait for nothing here. */
  async function explainBy(
    scorer: Scorer,
    address: EmailAddress,
    kept: readonly Release[],
    asker: Asker,
  ): Promise<Explanation> {
    const data = scorer.datasets;
    const listings = findListings(address, data);
    const [since, verdict] = await Promise.all([
      sinceWhen(data, kept, listings, asker),
      scorer.score(address, asker.owner),
    ]);
    return {
      email: address.canonical,
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
    asker: Asker,
  ): Promise<Since[]> {
    const from = kept.findIndex(({ id }) => id === release);
    if (releases !== undefined && from !== -1 && listings.length > 0)
      return inTurn(reading, () => findSince(releases, kept.slice(from), listings), turnOf(asker));
    return listings.map(() => ({
      since: `${SHIPPED} ${versions.disposable_domains.version}`,
      orEarlier: true,
    }));
  }

  return {
    async explain({ email, datasets: wanted }: ExplainRequest, asker: Asker): Promise<Explanation> {
      const parsed = parseEmail(email);
      if (!parsed.ok) throw invalidField('email', parsed.message);
      const { address } = parsed;
      const kept = (await releases?.index())?.releases ?? [];
      if (wanted === undefined) return explainBy(current(), address, kept, asker);
      const explainOlder = async () => explainBy(await openOlder(wanted, kept), address, kept, asker);
      return inTurn(older, explainOlder, turnOf(asker));
    },
  };
}

const turnOf = ({ owner, signal }: Asker) => ({
  owners: [owner],
  refusal: () => unavailable('explanations'),
  signal,
});
