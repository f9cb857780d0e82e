import type { DeliveryDetail } from '../../api/webhooks.ts';
import { formatCount } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import panel from '../../ui/page/Panel.module.css';
import { StateMark } from '../../ui/page/StateMark.tsx';
import classes from './Attempts.module.css';
import { DELIVERY_TEXTS as TEXTS } from './texts.ts';

/** Every try: when, how long, what came back. */
export function Attempts({ attempts }: { attempts: DeliveryDetail['attempts'] }) {
  if (attempts.length === 0) return <p className={panel.note}>{TEXTS.noAttempt}</p>;
  return (
    <ol className={classes.attempts}>
      {attempts.map(
        ({ attempted_at: at, duration_ms: ms, response_status: status, error, response_head: head }) => (
          <li key={at}>
            <div className={classes.line}>
              <StateMark state={error === null ? 'good' : 'bad'}>
                {status === null ? TEXTS.noAnswer : TEXTS.answered(status)}
              </StateMark>
              <span>{TEXTS.took(formatCount(ms))}</span>
              <Time at={at} />
            </div>
            {status === null && error !== null && <p>{error}</p>}
            {head ? (
              <pre className={classes.head} title={TEXTS.head}>
                {head}
              </pre>
            ) : null}
          </li>
        ),
      )}
    </ol>
  );
}
