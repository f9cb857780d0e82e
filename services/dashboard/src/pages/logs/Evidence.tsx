import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { evidenceQuery, type LogDetail } from '../../api/logs.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { formatLongDay } from '../../ui/format/format.ts';
import { Facts } from '../../ui/page/Facts.tsx';
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
  if (evidence.error) {
    return (
      <Section title={TEXTS.evidence}>
        <ErrorNotice error={evidence.error} onRetry={() => void evidence.refetch()} />
      </Section>
    );
  }
  if (!evidence.data) {
    return (
      <Section title={TEXTS.evidence}>
        <SkeletonBlock height={176} label={TEXTS.loading} />
      </Section>
    );
  }
  const {
    stored,
    recomputed,
    can_recompute: can,
    listings,
    own_entries: entries,
    ip_kind: kind,
    ip_country: country,
    ip_asn: asn,
    ip_organisation: organisation,
  } = evidence.data;
  const domain = log.email?.slice(log.email.lastIndexOf('@') + 1) ?? TEXTS.theDomain;
  const byServers = stored.factors.some(({ code }) => code.startsWith('DISPOSABLE_MX'));
  const said = (words: string, version: string) => (
    <>
      {words} <span className={classes.version}>({version})</span>
    </>
  );
  const naming = (names: boolean) => (names ? TEXTS.lists(domain) : TEXTS.listsNot(domain));
  return (
    <Section title={TEXTS.evidence} note={TEXTS.evidenceNote}>
      <Facts
        facts={[
          [
            TEXTS.disposable,
            said(
              byServers ? TEXTS.listsServers(domain) : naming(log.signals.disposable_email),
              stored.datasets.disposable_domains,
            ),
          ],
          [TEXTS.free, said(naming(log.signals.free_provider), stored.datasets.free_providers)],
          ...(listings.length === 0
            ? []
            : [
                [
                  TEXTS.listedBy,
                  listings.map(({ list, entry, source, since, or_earlier: earlier }) => (
                    <div key={`${list} ${entry} ${source}`}>
                      {TEXTS.listing(entry, source, dayIn(since), earlier)}
                    </div>
                  )),
                ] as const,
              ]),
          [
            TEXTS.mailbox,
            <Link
              key="mailbox"
              to="/logs"
              search={{
                q: `${MAILBOX}${can && log.email ? log.email : log.id}`,
                ...(log.mode === 'test' && { mode: log.mode }),
              }}
            >
              {TEXTS.spellings}
            </Link>,
          ],
          ...(kind
            ? [[TEXTS.network, said(TEXTS.networks[kind] ?? kind, TEXTS.networkLists[kind] ?? '')] as const]
            : []),
          ...(country !== null || asn !== null
            ? [
                [
                  TEXTS.origin,
                  <>
                    {TEXTS.originOf(organisation, asn, country)} (
                    <a href={TEXTS.originBy.href} target="_blank" rel="noreferrer">
                      {TEXTS.originBy.label}
                    </a>
                    , {TEXTS.originAlso})
                  </>,
                ] as const,
              ]
            : []),
          ...(log.policy?.rule
            ? [
                [
                  TEXTS.rule,
                  <Link key="rule" to="/policies" search={{ version: log.policy.version }}>
                    {TEXTS.ruleOf(log.policy.rule, log.policy.version)}
                  </Link>,
                ] as const,
              ]
            : []),
          [
            TEXTS.ownEntries,
            entries.length === 0
              ? TEXTS.noEntries
              : entries.map(({ id, list, value }) => (
                  <div key={id}>
                    <Link to="/lists" search={{ list, search: value }}>
                      {TEXTS.ownEntry(list, value)}
                    </Link>
                  </div>
                )),
          ],
          [
            TEXTS.now,
            recomputed ? (
              <>
                <span className={classes.now}>
                  <DecisionMark decision={recomputed.decision} /> {recomputed.risk_score},{' '}
                  {recomputed.decision === log.decision ? TEXTS.same : TEXTS.changed}
                </span>
                {recomputed.policy?.rule && <div>{TEXTS.nowRule(recomputed.policy.rule)}</div>}
                <div className={classes.considered}>{consideredLine(recomputed.considered)}</div>
              </>
            ) : !can ? (
              TEXTS.cannot
            ) : (
              <>
                {TEXTS.notNow}{' '}
                <Button
                  variant="default"
                  size="compact-xs"
                  loading={evidence.isFetching}
                  onClick={() => void evidence.refetch()}
                >
                  {TEXTS.retry}
                </Button>
              </>
            ),
          ],
        ]}
      />
    </Section>
  );
}
