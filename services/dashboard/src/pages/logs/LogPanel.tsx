import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../api/api-error.ts';
import { idAgeMs } from '../../api/id-age.ts';
import { keysQuery } from '../../api/keys.ts';
import { type LogDetail, logQuery } from '../../api/logs.ts';
import { precisionQuery } from '../../api/outcomes.ts';
import { retriesPassing } from '../../api/query-client.ts';
import { IconCheck, IconCopy } from '../../icons.tsx';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { useCopy } from '../../ui/copy/use-copy.ts';
import { SidePanel } from '../../ui/dialog/SidePanel.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { FactorBars } from '../../ui/verdict/FactorBars.tsx';
import { labelledLine } from '../../ui/verdict/outcome-words.ts';
import { ScoreBar } from '../../ui/verdict/ScoreBar.tsx';
import { SignalList } from '../playground/SignalList.tsx';
import { Evidence } from './Evidence.tsx';
import { explanationOf } from './explanation.ts';
import { ListActions } from './ListActions.tsx';
import classes from './LogPanel.module.css';
import { OutcomeActions } from './OutcomeActions.tsx';

const route = getRouteApi('/app/checks/$id');
const parent = getRouteApi('/app/checks');

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
      isMissing(error) ? idAgeMs(id, Date.now()) < STORED_WITHIN_MS : retriesPassing(count, error),
    retryDelay: AGAIN_MS,
  });
  return (
    <SidePanel
      title={
        log.data
          ? (log.data.log.email ?? 'Address erased')
          : isMissing(log.error)
            ? 'No such check'
            : 'Loading the check'
      }
      onClose={() => void navigate({ to: '/checks', search, resetScroll: false })}
    >
      {isMissing(log.error) ? (
        <p>This account has no check with this id.</p>
      ) : (
        <Loaded query={log} what="the check" rows={10}>
          {(data) => <Details log={data.log} />}
        </Loaded>
      )}
    </SidePanel>
  );
}

function Details({ log }: { log: LogDetail }) {
  const keys = useQuery(keysQuery);
  const key = keys.data?.keys.find(({ id }) => id === log.key_id);
  const measured = useQuery(precisionQuery('code'));
  const { copied, copy } = useCopy();
  const reasonOf = log.factors.length === log.reasons.length ? log.reasons : [];
  return (
    <>
      <div className={classes.head}>
        <DecisionMark decision={log.decision} large />
        <div className={classes.score}>
          Risk score <strong>{log.risk_score}</strong>
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
          <span aria-live="polite">{copied ? 'Copied' : 'Copy explanation'}</span>
        </Button>
      </div>
      <Section title="How the score adds up">
        <FactorBars
          factors={log.factors.map((factor, index) => {
            const precision = measured.data?.groups.find(({ name }) => name === factor.code);
            return {
              ...factor,
              ...(reasonOf[index] ? { reason: reasonOf[index] } : {}),
              ...(precision && { labelled: labelledLine(precision) }),
            };
          })}
          score={log.risk_score}
          texts={{ total: 'Risk score', none: 'No risk found.' }}
        />
      </Section>
      {reasonOf.length === 0 && log.reasons.length > 0 && (
        <Section title="Reasons">
          <ul className={classes.reasons}>
            {log.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Outcome" note="Say how this person turned out, to measure your rules and our signals.">
        <OutcomeActions log={log} />
      </Section>
      {log.email && (
        <Section title="Always allow or block">
          <ListActions log={log} email={log.email} />
        </Section>
      )}
      <Evidence log={log} />
      <Section title="Signals">
        <SignalList
          signals={log.signals}
          mailUnchecked={log.factors.some(({ code }) => code === DNS_INDETERMINATE)}
        />
      </Section>
      <Section title="Facts">
        <Facts
          facts={[
            ['Time (UTC)', <Time key="at" at={log.created_at} />],
            [
              'Key',
              key ? (
                <Link to="/checks" search={{ key: key.id }}>
                  {key.name}
                </Link>
              ) : (
                <CopyId id={log.key_id} />
              ),
            ],
            ['IP', log.ip ?? 'none'],
            ['Mail servers', log.mx?.hosts.join(', ') ?? 'none looked up'],
            ['Log id', <CopyId key="id" id={log.id} whole />],
            ['Request', <CopyId key="request" id={log.request_id} whole />],
          ]}
        />
      </Section>
    </>
  );
}
