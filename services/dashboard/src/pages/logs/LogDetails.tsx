import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keysQuery } from '../../api/keys.ts';
import type { LogDetail } from '../../api/logs.ts';
import { precisionQuery } from '../../api/outcomes.ts';
import { IconCheck, IconCopy } from '../../icons.tsx';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { useCopy } from '../../ui/copy/use-copy.ts';
import { Time } from '../../ui/format/Time.tsx';
import { Facts } from '../../ui/page/Facts.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { FactorBars } from '../../ui/verdict/FactorBars.tsx';
import { labelledLine } from '../../ui/verdict/outcome-words.ts';
import { ScoreBar } from '../../ui/verdict/ScoreBar.tsx';
import { SignalList } from '../playground/SignalList.tsx';
import { Evidence } from './Evidence.tsx';
import { explanationOf } from './explanation.ts';
import classes from './LogPanel.module.css';

/** The factor of checks whose mail servers DNS did not answer for. */
const DNS_INDETERMINATE = 'DNS_INDETERMINATE';

/** Everything that is known of a check; `children` act on it. */
export function LogDetails({ log, children }: { log: LogDetail; children?: React.ReactNode }) {
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
      {children}
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
            ...(log.tag === null ? [] : [['Tag', log.tag] as const]),
            ['Mail servers', log.mx?.hosts.join(', ') ?? 'none looked up'],
            ['Log id', <CopyId key="id" id={log.id} whole />],
            ['Request', <CopyId key="request" id={log.request_id} whole />],
          ]}
        />
      </Section>
    </>
  );
}
