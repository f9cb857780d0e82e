import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BURST_KINDS, type BurstKind } from '@verdict/domain/check-groups.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import type { Burst } from '../../api/bursts.ts';
import { namedLogsQuery } from '../../api/logs.ts';
import { formatCount, plural } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { searchOfGroup } from '../logs/search-of-group.ts';
import classes from './AttackCard.module.css';
import { StopBurst } from './StopBurst.tsx';

const OTHERS_MAX = 6;

/** Shows the largest burst in full and the others as a list; renders nothing while there is none. */
export default function AttackCard({ bursts }: { bursts: readonly Burst[] }) {
  const [first, ...others] = [...bursts].sort(byWeight);
  if (!first) return null;
  return (
    <Section
      title={first.ended_at ? 'Repeated sign-ups, over now' : 'Repeated sign-ups under way'}
      note="Checks have something in common far above its usual level in your account."
    >
      <article className={classes.card} data-over={first.ended_at !== null || undefined}>
        <Attack burst={first} />
        {others.length > 0 && (
          <ul className={classes.others} aria-label="Also repeated">
            {others.slice(0, OTHERS_MAX).map((burst) => (
              <li key={burst.id}>
                <span>
                  {KIND_WORDS[burst.kind]} <Subject burst={burst} /> {plural(checksOf(burst), 'check')}
                </span>
                <StopBurst burst={burst} />
              </li>
            ))}
          </ul>
        )}
      </article>
    </Section>
  );
}

const KIND_WORDS: Readonly<Record<BurstKind, string>> = {
  network: 'Network',
  mailbox: 'Mailbox',
  domain: 'Domain',
  mail_host: 'Mail host',
  shape: 'Domains like',
  as: 'Autonomous system',
};

const checksOf = (burst: Burst): number => DECISIONS.reduce((sum, decision) => sum + burst[decision], 0);

/** Running bursts first, then those with most checks, then the narrowest kind. */
const byWeight = (a: Burst, b: Burst): number =>
  Number(a.ended_at !== null) - Number(b.ended_at !== null) ||
  checksOf(b) - checksOf(a) ||
  BURST_KINDS.indexOf(a.kind) - BURST_KINDS.indexOf(b.kind);

function Attack({ burst }: { burst: Burst }) {
  const examples = useQuery(namedLogsQuery(burst.examples));
  return (
    <>
      <div className={classes.head}>
        <h3>
          {KIND_WORDS[burst.kind]} <Subject burst={burst} />
        </h3>
        <StopBurst burst={burst} prominent />
      </div>
      <p>
        <strong>{plural(checksOf(burst), 'check')}</strong>, began <Time at={burst.started_at} relative />
        {burst.ended_at && (
          <>
            , ended <Time at={burst.ended_at} relative />
          </>
        )}
        . {usualLine(burst.usual)}
      </p>
      <ul className={classes.decisions} aria-label="Decided">
        {DECISIONS.filter((decision) => burst[decision] > 0).map((decision) => (
          <li key={decision}>
            <DecisionMark decision={decision} /> {formatCount(burst[decision])}
          </li>
        ))}
      </ul>
      <ul className={classes.examples} aria-label="Examples">
        {examples.data?.logs.map(({ id, email }) => (
          <li key={id}>
            <Link to="/checks/$id" params={{ id }}>
              {email ? <bdi>{email}</bdi> : <em>erased</em>}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

const usualLine = (usual: number): string =>
  usual === 0 ? 'It hardly ever occurs otherwise.' : `Its busiest usual hour has ${plural(usual, 'check')}.`;

/** Leads to the checks; a mailbox is named by the address of one of them. */
function Subject({ burst: { kind, value } }: { burst: Burst }) {
  const named = useQuery({ ...namedLogsQuery([value]), enabled: kind === 'mailbox' && value !== '' });
  const email = named.data ? (named.data.logs[0]?.email ?? 'erased') : '…';
  const name = kind === 'mailbox' ? email : value;
  return (
    <Link to="/checks" search={{ ...searchOfGroup(kind, value), range: '24h' }}>
      <bdi>{name}</bdi>
    </Link>
  );
}
