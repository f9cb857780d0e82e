import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../api/api-error.ts';
import { idAgeMs } from '../../api/id-age.ts';
import { keysQuery } from '../../api/keys.ts';
import { type LogDetail, logQuery } from '../../api/logs.ts';
import { IconCheck, IconCopy } from '../../icons.tsx';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { useCopy } from '../../ui/copy/use-copy.ts';
import { SidePanel } from '../../ui/dialog/SidePanel.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { Facts } from '../../ui/page/Facts.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { FactorBars } from '../../ui/verdict/FactorBars.tsx';
import { ScoreBar } from '../../ui/verdict/ScoreBar.tsx';
import { SignalList } from '../playground/SignalList.tsx';
import { Evidence } from './Evidence.tsx';
import { explanationOf } from './explanation.ts';
import { ListActions } from './ListActions.tsx';
import classes from './LogPanel.module.css';
import { LOG_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/logs/$id');
const parent = getRouteApi('/app/logs');

/** A check is stored about a second after its answer; one that is older and not found does not exist. */
const STORED_WITHIN_MS = 10_000;
const AGAIN_MS = 800;

/** The factor of checks whose mail servers DNS did not answer for. */
const DNS_INDETERMINATE = 'DNS_INDETERMINATE';

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

export function LogPanel() {
  const { id } = route.useParams();
  const search = parent.useSearch();
  const navigate = useNavigate();
  const log = useQuery({
    ...logQuery(id),
    retry: (count, error) =>
      isMissing(error)
        ? idAgeMs(id, Date.now()) < STORED_WITHIN_MS
        : error instanceof ApiError && error.passing && count === 0,
    retryDelay: AGAIN_MS,
  });
  return (
    <SidePanel
      title={
        log.data ? (log.data.log.email ?? TEXTS.erased) : isMissing(log.error) ? TEXTS.missing : TEXTS.loading
      }
      onClose={() => void navigate({ to: '/logs', search, resetScroll: false })}
    >
      {isMissing(log.error) ? (
        <p>{TEXTS.missingText}</p>
      ) : log.error ? (
        <ErrorNotice title={TEXTS.failed} error={log.error} onRetry={() => void log.refetch()} />
      ) : log.data ? (
        <Details log={log.data.log} />
      ) : (
        <SkeletonRows rows={10} label={TEXTS.loading} />
      )}
    </SidePanel>
  );
}

function Details({ log }: { log: LogDetail }) {
  const keys = useQuery(keysQuery);
  const key = keys.data?.keys.find(({ id }) => id === log.key_id);
  const { copied, copy } = useCopy();
  const reasonOf = log.factors.length === log.reasons.length ? log.reasons : [];
  return (
    <>
      <div className={classes.head}>
        <DecisionMark decision={log.decision} large />
        <div className={classes.score}>
          {TEXTS.score} <strong>{log.risk_score}</strong>
        </div>
      </div>
      <div className={classes.bar}>
        <ScoreBar score={log.risk_score} marks />
        <Button
          variant="default"
          size="xs"
          mt={12}
          leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          onClick={() => copy(explanationOf(log, window.location.origin))}
        >
          <span aria-live="polite">{copied ? TEXTS.copied : TEXTS.copy}</span>
        </Button>
      </div>
      <Section title={TEXTS.factors}>
        <FactorBars
          factors={log.factors.map((factor, index) => ({
            ...factor,
            ...(reasonOf[index] ? { reason: reasonOf[index] } : {}),
          }))}
          score={log.risk_score}
          texts={{ total: TEXTS.factorTotal, none: TEXTS.noFactors }}
        />
      </Section>
      {reasonOf.length === 0 && log.reasons.length > 0 && (
        <Section title={TEXTS.reasons}>
          <ul className={classes.reasons}>
            {log.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </Section>
      )}
      {log.email && (
        <Section title={TEXTS.act}>
          <ListActions log={log} email={log.email} />
        </Section>
      )}
      <Evidence log={log} />
      <Section title={TEXTS.signals}>
        <SignalList
          signals={log.signals}
          mailUnchecked={log.factors.some(({ code }) => code === DNS_INDETERMINATE)}
        />
      </Section>
      <Section title={TEXTS.facts}>
        <Facts
          facts={[
            [TEXTS.at, <Time key="at" at={log.created_at} />],
            [
              TEXTS.key,
              key ? (
                <Link to="/logs" search={{ key: key.id }}>
                  {key.name}
                </Link>
              ) : (
                <CopyId id={log.key_id} />
              ),
            ],
            [TEXTS.ip, log.ip ?? TEXTS.none],
            [TEXTS.id, <CopyId key="id" id={log.id} whole />],
            [TEXTS.request, <CopyId key="request" id={log.request_id} whole />],
          ]}
        />
      </Section>
    </>
  );
}
