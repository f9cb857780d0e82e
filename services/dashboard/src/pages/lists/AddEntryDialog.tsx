import { Alert, Button, Checkbox, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import type { ListMatching } from '@verdict/domain/account-list.js';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { impactQuery, LISTS, type ListName } from '../../api/lists.ts';
import { EVIDENCE } from '../../api/logs.ts';
import { OVERVIEW } from '../../api/usage.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { Impact } from './Impact.tsx';
import { LISTS_TEXTS, ADD_TEXTS as TEXTS } from './texts.ts';

const TYPING_MS = 350;
const DAY_MS = 86_400_000;

/** Adds an entry after showing what it would have changed; the toast takes it back. */
export function AddEntryDialog({
  list,
  values = [],
  servers = [],
  note: firstNote = '',
  expiresInDays,
  submit = 'Add entry',
  onClose,
}: {
  list: ListName;
  /** To choose from, such as an address and its domain; otherwise the value is typed. */
  values?: readonly string[];
  /** Mail servers to choose from beside them. */
  servers?: readonly string[];
  note?: string;
  /** The expiry that is offered first. */
  expiresInDays?: 1 | 7 | 30 | 90;
  submit?: string;
  onClose: (isAdded: boolean) => void;
}) {
  const [value, setValue] = useState(values[0] ?? servers[0] ?? '');
  const [note, setNote] = useState(firstNote);
  const [days, setDays] = useState(String(expiresInDays ?? ''));
  const [chosen, setChosen] = useState<ListMatching | null>(null);
  const [isForced, setForced] = useState(false);
  const [settled] = useDebouncedValue(value.trim(), TYPING_MS);
  const { data: typed } = useQuery(impactQuery(list, settled, 'exact'));
  const kind = settled === value.trim() ? typed?.kind : undefined;
  const isServer = servers.includes(value) || (values.length === 0 && kind === 'domain' && chosen === 'mx');
  const match = isServer ? 'mx' : matchOf(kind, chosen, typed?.mailbox ?? null);
  const { data: covered } = useQuery(impactQuery(list, settled, match));
  const stale = [LISTS, OVERVIEW, EVIDENCE];
  const undoing = useAction((id: string) => call(`DELETE /lists/${list}/:id/`, { params: { id } }), {
    stale,
    failed: LISTS_TEXTS.removeFailed,
  });
  const adding = useAction(
    (_: FormData) =>
      call(`POST /lists/${list}/`, {
        body: {
          value: value.trim(),
          match,
          ...(isForced && { force: true }),
          ...(note.trim() && { note: note.trim() }),
          ...(days && { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
        },
      }),
    {
      stale,
      then: () => onClose(true),
      done: ({ entry }) => ({
        id: entry.id,
        title: `${entry.value} is on the ${list} list`,
        message: (
          <>
            {LISTS_TEXTS.immediately}{' '}
            <Button
              variant="default"
              size="compact-xs"
              onClick={() => {
                notifications.hide(entry.id);
                undoing.mutate(entry.id);
              }}
            >
              Undo
            </Button>
          </>
        ),
      }),
    },
  );
  return (
    <FormDialog
      title={`Add to the ${list} list`}
      submit={submit}
      fields={['value', 'note']}
      action={adding}
      onClose={() => onClose(false)}
    >
      <ValueField values={values} servers={servers} value={value} error={adding.error} onChange={setValue} />
      <MatchField
        kind={kind === 'domain' && values.length > 0 ? undefined : kind}
        match={match}
        covers={covered?.value ?? '…'}
        onChange={setChosen}
      />
      <ExpiryField value={days} onChange={setDays} />
      <TextInput
        label="Note (optional)"
        description="Why you add it."
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={200}
        error={fieldError(adding.error, 'note', 'Note')}
      />
      {isServer && covered?.shared && <SharedServer isForced={isForced} onChange={setForced} />}
      {settled !== '' && <Impact list={list} value={settled} match={match} />}
    </FormDialog>
  );
}

const ExpiryField = ({ value, onChange }: { value: string; onChange: (days: string) => void }) => (
  <NativeSelect
    label="Expires"
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    data={TEXTS.expiries}
  />
);

/** The matching of an entry that is no mail server: an address covers its mailbox unless the customer chose otherwise. */
const matchOf = (
  kind: string | undefined,
  chosen: ListMatching | null,
  mailbox: string | null,
): ListMatching =>
  kind !== 'address'
    ? 'exact'
    : chosen === 'exact' || chosen === 'mailbox'
      ? chosen
      : mailbox === null
        ? 'exact'
        : 'mailbox';

/** Asks how far an address or a domain reaches; other values have one meaning. */
function MatchField({
  kind,
  match,
  covers,
  onChange,
}: {
  kind: string | undefined;
  match: ListMatching;
  covers: string;
  onChange: (match: ListMatching) => void;
}) {
  if (kind !== 'address' && kind !== 'domain') return null;
  const mailboxes =
    match === 'mailbox'
      ? `Covers every address that is delivered to ${covers}.`
      : 'Other spellings of the same mailbox are not covered.';
  return (
    <NativeSelect
      label="Matches"
      description={kind === 'address' ? mailboxes : undefined}
      value={match}
      onChange={(event) => onChange(event.currentTarget.value as ListMatching)}
      data={kind === 'address' ? TEXTS.matches : TEXTS.servers}
    />
  );
}

/** Warns of a mail server that unrelated people share, and takes the customer's word. */
function SharedServer({ isForced, onChange }: { isForced: boolean; onChange: (isForced: boolean) => void }) {
  return (
    <Alert color="yellow" title="Shared mail server">
      {TEXTS.shared}
      <Checkbox
        mt={8}
        label="Add it anyway"
        checked={isForced}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Alert>
  );
}

/** One of several values to choose, or a field to type one. */
function ValueField({
  values,
  servers,
  value,
  error: cause,
  onChange,
}: {
  values: readonly string[];
  servers: readonly string[];
  value: string;
  error: unknown;
  onChange: (value: string) => void;
}) {
  const error = fieldError(cause, 'value', 'This value');
  if (values.length + servers.length > 0) {
    return (
      <Radio.Group label={TEXTS.value} value={value} onChange={onChange} error={error}>
        {[...values, ...servers].map((one, index) => (
          <Radio
            key={one}
            mt={6}
            value={one}
            label={
              <>
                {servers.includes(one) && 'Mail server '}
                <bdi>{one}</bdi>
              </>
            }
            data-autofocus={index === 0 || undefined}
          />
        ))}
      </Radio.Group>
    );
  }
  return (
    <TextInput
      label={TEXTS.value}
      error={error}
      description="jane@example.com, example.com, mx1.example.net, 203.0.113.7 or 203.0.113.0/24"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={512}
      required
      autoComplete="off"
      spellCheck={false}
      data-autofocus
    />
  );
}
