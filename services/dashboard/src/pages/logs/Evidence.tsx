import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Reply } from '../../api/call.ts';
import { evidenceQuery, type LogDetail } from '../../api/logs.ts';
import { formatLongDay } from '../../ui/format/format.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonBlock } from '../../ui/page/Skeletons.tsx';
import { consideredLine } from '../../ui/verdict/considered.ts';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import classes from './LogPanel.module.css';
import { MAILBOX } from './logs-filter.ts';
import { LOG_TEXTS as TEXTS } from './texts.ts';

/** The day of a release, such as 2026-11-15.2, or of the data that came with the software. */
function dayIn(release: string): string {
  const [day] = /\d{4}-\d\d-\d\d/.exec(release) ?? [];
  return day ? formatLongDay(day) : release;
}

/** Which data it was judged with, what the own lists say, and what the same address would get now. */
export function Evidence({ log }: { log: LogDetail }) {
  const evidence = useQuery(evidenceQuery(log.id));
  return (
    <Section
      title="Evidence"
      note="The data behind this decision, and the answer that the same check would get now."
    >
      <Loaded
        query={evidence}
        what="the evidence"
        skeleton={<SkeletonBlock height={176} label="Loading the evidence" />}
      >
        {(data) => (
          <EvidenceFacts
            log={log}
            evidence={data}
            isFetching={evidence.isFetching}
            onRetry={() => void evidence.refetch()}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** Earlier words of the lists about the domain, and the revisions of the check. */
function historyFacts({ listed, revisions }: Shown['evidence']): (readonly [string, React.ReactNode])[] {
  const ended = listed.filter(({ to }) => to !== null);
  const listings = ended.map(({ entry, source, from, to }) => (
    <div key={`${entry} ${source} ${to}`}>{TEXTS.wasListed(entry, source, from, to ?? '')}</div>
  ));
  const looks = revisions.map(({ to, release, created_at: at }) => (
    <div key={at}>
      <DecisionMark decision={to} /> {`by the lists of ${dayIn(release)}`}
    </div>
  ));
  return [
    ...(listings.length > 0 ? [['Was listed by', listings] as const] : []),
    ...(looks.length > 0 ? [['Second look', looks] as const] : []),
  ];
}

interface Shown {
  readonly log: LogDetail;
  readonly evidence: Reply<'GET /dashboard/logs/:id/evidence/'>;
  readonly isFetching: boolean;
  readonly onRetry: () => void;
}

function EvidenceFacts({ log, evidence, isFetching, onRetry }: Shown) {
  const {
    stored,
    can_recompute: can,
    listings,
    own_entries: entries,
    ip_kind: kind,
    ip_country: country,
    ip_asn: asn,
    ip_organisation: organisation,
  } = evidence;
  const domain = log.email?.slice(log.email.lastIndexOf('@') + 1) ?? 'the domain';
  const byServers = stored.factors.some(({ code }) => code.startsWith('DISPOSABLE_MX'));
  const said = (words: string, version: string) => (
    <>
      {words} <span className={classes.version}>({version})</span>
    </>
  );
  const naming = (names: boolean) => (names ? `lists ${domain}` : `does not list ${domain}`);
  return (
    <Facts
      facts={[
        [
          'Disposable domains',
          said(
            byServers ? `lists the mail servers of ${domain}` : naming(log.signals.disposable_email),
            stored.datasets.disposable_domains,
          ),
        ],
        ['Free providers', said(naming(log.signals.free_provider), stored.datasets.free_providers)],
        ...(listings.length === 0
          ? []
          : [
              [
                'Listed by',
                listings.map(({ list, entry, source, since, or_earlier: earlier }) => (
                  <div key={`${list} ${entry} ${source}`}>
                    {TEXTS.listing(entry, source, dayIn(since), earlier)}
                  </div>
                )),
              ] as const,
            ]),
        ...historyFacts(evidence),
        [
          'Mailbox',
          <Link
            key="mailbox"
            to="/checks"
            search={{
              q: `${MAILBOX}${can && log.email ? log.email : log.id}`,
              ...(log.mode === 'test' && { mode: log.mode }),
            }}
          >
            Checks of all its spellings
          </Link>,
        ],
        ...(kind
          ? [['IP network', said(TEXTS.networks[kind] ?? kind, TEXTS.networkLists[kind] ?? '')] as const]
          : []),
        ...(country !== null || asn !== null
          ? [
              [
                'IP origin',
                <>
                  {TEXTS.originOf(organisation, asn, country)} (
                  <a href={TEXTS.originBy.href} target="_blank" rel="noreferrer">
                    {TEXTS.originBy.label}
                  </a>
                  , Route Views, NRO)
                </>,
              ] as const,
            ]
          : []),
        ...(log.policy?.rule
          ? [
              [
                'Your rule',
                <Link key="rule" to="/rules/policies" search={{ version: log.policy.version }}>
                  {`${log.policy.rule} (version ${log.policy.version})`}
                </Link>,
              ] as const,
            ]
          : []),
        [
          'Your lists',
          entries.length === 0
            ? 'No entry for this address, domain or IP.'
            : entries.map(({ id, list, value }) => (
                <div key={id}>
                  <Link to="/rules/lists" search={{ list, search: value }}>
                    {`${value} is on your ${list} list`}
                  </Link>
                </div>
              )),
        ],
        ['Now', <Now key="now" log={log} evidence={evidence} isFetching={isFetching} onRetry={onRetry} />],
      ]}
    />
  );
}

/** The decision that the address would get now, or why that is not known. */
function Now({ log, evidence: { recomputed, can_recompute: can }, isFetching, onRetry }: Shown) {
  if (recomputed) {
    return (
      <>
        <span className={classes.now}>
          <DecisionMark decision={recomputed.decision} /> {recomputed.risk_score},{' '}
          {recomputed.decision === log.decision ? 'the same decision' : 'another decision than then'}
        </span>
        {recomputed.policy?.rule && <div>{`Your rule “${recomputed.policy.rule}” decides.`}</div>}
        <div className={classes.considered}>{consideredLine(recomputed.considered)}</div>
      </>
    );
  }
  if (!can) return 'Cannot be checked again: the address was erased.';
  return (
    <>
      Could not check again.{' '}
      <Button variant="default" size="compact-xs" loading={isFetching} onClick={onRetry}>
        Retry
      </Button>
    </>
  );
}
