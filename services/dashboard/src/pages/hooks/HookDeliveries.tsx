import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Hook, type HookDelivery, hookDeliveriesQuery } from '../../api/hooks.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { formatCount } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { StateMark } from '../../ui/page/StateMark.tsx';
import classes from './HookDeliveries.module.css';
import { OUTCOME_NAMES } from './texts.ts';

/** The last requests of the provider, each with its masked payload and our answer. */
export function HookDeliveries({ hook }: { hook: Hook }) {
  const query = useQuery(hookDeliveriesQuery(hook.id));
  return (
    <Section title="Last requests" note="The newest 20 of the last seven days. Personal data is masked.">
      <Loaded
        query={query}
        what="the requests"
        rows={3}
        isEmpty={(data) => data.deliveries.length === 0}
        empty={<p className={panel.note}>No requests yet. Send a test to see one.</p>}
      >
        {(data) => (
          <ol className={classes.deliveries}>
            {data.deliveries.map((delivery) => (
              <li key={delivery.id}>
                <Delivery delivery={delivery} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

function Delivery({ delivery }: { delivery: HookDelivery }) {
  const { outcome, decision, replayed, duration_ms: ms, at, payload, answer, status, log_id: log } = delivery;
  return (
    <details>
      <summary className={classes.line}>
        <StateMark state={stateOf(outcome)}>{OUTCOME_NAMES[outcome]}</StateMark>
        <span>{replayed ? `${decision ?? ''} retry` : decision}</span>
        <span>{formatCount(ms)} ms</span>
        <Time at={at} relative />
      </summary>
      <p>Request</p>
      <CodeBlock code={JSON.stringify(payload, null, 2)} label="Request" tall />
      <p>Answer, status {status}</p>
      <CodeBlock code={JSON.stringify(answer, null, 2)} label={`Answer, status ${status}`} />
      {log && (
        <Link to="/checks/$id" params={{ id: log }}>
          Open the log
        </Link>
      )}
    </details>
  );
}

const PASSED: readonly HookDelivery['outcome'][] = ['allowed', 'no_address', 'invited', 'other_event'];

const stateOf = (outcome: HookDelivery['outcome']) =>
  outcome === 'refused' ? 'off' : PASSED.includes(outcome) ? 'good' : 'bad';
