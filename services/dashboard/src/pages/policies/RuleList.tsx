import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef, useState } from 'react';
import { precisionQuery } from '../../api/outcomes.ts';
import type { Effect, Rule } from '../../api/policies.ts';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPencil, IconTrash } from '../../icons.tsx';
import { formatCount } from '../../ui/format/format.ts';
import { useNow } from '../../ui/format/use-now.ts';
import { IconButton } from '../../ui/table/IconButton.tsx';
import { labelledLine } from '../../ui/verdict/outcome-words.ts';
import type { NamedKey } from './ConditionValue.tsx';
import { type DraftRule, moved, replaced } from './draft-rules.ts';
import { decisionOf, RuleEditor } from './RuleEditor.tsx';
import classes from './RuleList.module.css';
import type { RuleError } from './rule-errors.ts';
import { type KeyName, ruleSentence } from './rule-sentence.ts';

/** The rules as sentences, in the order in which they are asked. One at a time is open for editing. */
export function RuleList({
  draft,
  open,
  keys,
  keyName,
  errors,
  effects,
  onOpen,
  onChange,
}: {
  draft: readonly DraftRule[];
  /** The key of the rule that is edited. */
  open: number | null;
  keys: readonly NamedKey[];
  keyName: KeyName;
  errors: readonly RuleError[];
  /** Of rules that are live, by their names. */
  effects: readonly Effect[];
  onOpen: (key: number | null) => void;
  onChange: (draft: readonly DraftRule[]) => void;
}) {
  const now = useNow();
  const list = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState('');
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  // A browser takes the focus from an element that moves: it comes back to the same button of the same rule.
  const focus = useRef<{ readonly key: number; readonly act: string } | null>(null);
  useLayoutEffect(() => {
    if (!focus.current) return;
    const { key, act } = focus.current;
    focus.current = null;
    list.current?.querySelector<HTMLElement>(`[data-rule="${key}"] [data-act="${act}"]`)?.focus();
  });
  const move = (from: number, to: number, act: string | null) => {
    const one = draft[from];
    const next = moved(draft, from, to);
    if (!one || next === draft) return;
    if (act) focus.current = { key: one.key, act };
    setSaid(`${one.rule.name} is now rule ${to + 1} of ${draft.length}`);
    onChange(next);
  };
  const remove = (index: number) => {
    const next = draft.toSpliced(index, 1);
    const neighbour = next[Math.min(index, next.length - 1)];
    if (neighbour) focus.current = { key: neighbour.key, act: 'edit' };
    setSaid(`${draft[index]?.rule.name ?? ''} removed`);
    onChange(next);
  };
  const onKeyDown = (event: React.KeyboardEvent, index: number) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0 || !event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.matches('input, select, textarea')) return;
    event.preventDefault();
    move(index, index + step, target.dataset.act ?? 'edit');
  };
  return (
    <>
      <ol ref={list} className={classes.rules}>
        {draft.map(({ key, rule }, index) => {
          const own = errors.filter((error) => error.rule === index);
          const decision = decisionOf(rule.then);
          return (
            <li
              key={key}
              className={classes.rule}
              data-rule={key}
              data-over={(over === index && dragged !== null && dragged !== index) || undefined}
              data-wrong={own.length > 0 || undefined}
              {...(decision && { 'data-decision': decision })}
              onKeyDown={(event) => onKeyDown(event, index)}
              onDragOver={(event) => {
                if (dragged === null) return;
                event.preventDefault();
                setOver(index);
              }}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== null) move(dragged, index, null);
                setDragged(null);
              }}
            >
              <div className={classes.line}>
                <span
                  className={classes.grip}
                  title="Drag to another place"
                  aria-hidden="true"
                  draggable
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move';
                    event.dataTransfer.setData('text/plain', rule.name);
                    const card = event.currentTarget.closest('li');
                    if (card) event.dataTransfer.setDragImage(card, 12, 12);
                    setDragged(index);
                  }}
                  onDragEnd={() => setDragged(null)}
                >
                  <IconGripVertical size={16} />
                </span>
                <div className={classes.words}>
                  <strong>{rule.name}</strong>
                  <p>{ruleSentence(rule, keyName, now)}</p>
                  <EffectOf rule={rule} effect={effects.find((one) => one.rule === rule.name)} />
                  <LabelledBy rule={rule} />
                  {own.map(({ at, message }) => (
                    <p key={at} className={classes.error} role="alert">
                      {message}
                    </p>
                  ))}
                </div>
                <div className={classes.acts}>
                  <IconButton
                    label={`Move ${rule.name} up`}
                    data-act="up"
                    aria-disabled={index === 0}
                    onClick={() => move(index, index - 1, 'up')}
                  >
                    <IconArrowUp size={15} />
                  </IconButton>
                  <IconButton
                    label={`Move ${rule.name} down`}
                    data-act="down"
                    aria-disabled={index === draft.length - 1}
                    onClick={() => move(index, index + 1, 'down')}
                  >
                    <IconArrowDown size={15} />
                  </IconButton>
                  <IconButton
                    label={`Edit ${rule.name}`}
                    data-act="edit"
                    aria-expanded={open === key}
                    onClick={() => onOpen(open === key ? null : key)}
                  >
                    <IconPencil size={15} />
                  </IconButton>
                  <IconButton label={`Remove ${rule.name}`} data-act="remove" onClick={() => remove(index)}>
                    <IconTrash size={15} />
                  </IconButton>
                </div>
              </div>
              {open === key && (
                <RuleEditor
                  rule={rule}
                  keys={keys}
                  errors={own}
                  onChange={(changed) => onChange(replaced(draft, key, changed))}
                  onDone={() => {
                    focus.current = { key, act: 'edit' };
                    onOpen(null);
                  }}
                />
              )}
            </li>
          );
        })}
      </ol>
      <p className="v-offscreen" role="status">
        {said}
      </p>
    </>
  );
}

/** How many checks a live rule matched, and the way to those that it decided; one that only watches decides none. */
function EffectOf({ rule, effect }: { rule: Rule; effect: Effect | undefined }) {
  if (!effect) return null;
  const { today, last_7_days: week } = effect;
  return (
    <p>
      {`Matched ${formatCount(today)} today, ${formatCount(week)} in 7 days.`}{' '}
      {week > 0 && !('watch' in rule.then) && (
        <Link to="/checks" search={{ rule: rule.name, range: '7d' }}>
          Show the checks
        </Link>
      )}
    </p>
  );
}

/** Outcomes of the people whom a rule decided about. */
function LabelledBy({ rule }: { rule: Rule }) {
  const { data } = useQuery(precisionQuery('rule'));
  const precision = data?.groups.find(({ name }) => name === rule.name);
  return precision ? <p>{labelledLine(precision)}</p> : null;
}
