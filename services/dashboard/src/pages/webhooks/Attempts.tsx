import type { DeliveryDetail } from '../../api/webhooks.ts';
import { formatCount } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import panel from '../../ui/page/Panel.module.css';
import { StateMark } from '../../ui/page/StateMark.tsx';
import classes from './Attempts.module.css';

/** Every try: when, how long, what came back. */
export function Attempts({ attempts }: { attempts: DeliveryDetail['attempts'] }) {
  if (attempts.length === 0) return <p className={panel.note}>None yet.</p>;
  return (
    <ol className={classes.attempts}>
      {attempts.map(
        ({ attempted_at: at, duration_ms: ms, response_status: status, error, response_head: head }) => (
          <li key={at}>
            <div className={classes.line}>
              <StateMark state={error === null ? 'good' : 'bad'}>
                {status === null ? 'no answer' : `answered ${status}`}
              </StateMark>
              <span>{`${formatCount(ms)} ms`}</span>
              <Time at={at} />
            </div>
            {status === null && error !== null && <p>{error}</p>}
            {head ? (
              <pre className={classes.head} title="Start of the response">
                {head}
              </pre>
            ) : null}
          </li>
        ),
      )}
    </ol>
  );
}
