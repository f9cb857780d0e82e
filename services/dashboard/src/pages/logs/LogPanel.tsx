import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { keysQuery } from '../../api/keys.ts';
import { type LogDetail, logQuery } from '../../api/logs.ts';
import { CopyId } from '../../ui/CopyId.tsx';
import { DecisionMark } from '../../ui/DecisionMark.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { FactorBars } from '../../ui/FactorBars.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { ScoreBar } from '../../ui/ScoreBar.tsx';
import { Section } from '../../ui/Section.tsx';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { SkeletonRows } from '../../ui/Skeletons.tsx';
import { Time } from '../../ui/Time.tsx';
import { SignalList } from '../playground/SignalList.tsx';
import { Evidence } from './Evidence.tsx';
import { ListActions } from './ListActions.tsx';
import classes from './LogPanel.module.css';
import { LOG_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/logs/$id');
const parent = getRouteApi('/app/logs');

/** How long a check that was just made may take to be stored. */
const NOT_YET_MS = 800;
const NOT_YET_TRIES = 8;

export function LogPanel() {
  const { id } = route.useParams();
  const search = parent.useSearch();
  const navigate = useNavigate();
  const log = useQuery({ ...logQuery(id), retry: NOT_YET_TRIES, retryDelay: NOT_YET_MS });
  return (
    <SidePanel
      title={log.data ? (log.data.log.email ?? TEXTS.erased) : TEXTS.loading}
      onClose={() => void navigate({ to: '/logs', search, resetScroll: false })}
    >
      {log.error ? (
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
          <ListActions email={log.email} />
        </Section>
      )}
      <Evidence log={log} />
      <Section title={TEXTS.signals}>
        <SignalList signals={log.signals} />
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
