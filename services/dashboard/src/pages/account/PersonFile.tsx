import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addressOf, call } from '../../api/call.ts';
import { getQuery } from '../../api/get-query.ts';
import { useMay } from '../../shell/use-may.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ConfirmByName } from '../../ui/dialog/ConfirmByName.tsx';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { plural } from '../../ui/format/format.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';

const LOOK_EVERY_MS = 3_000;

/** Answers a person who asks the customer what is kept of them, and forgets them. */
export function PersonFile() {
  const [email, setEmail] = useState('');
  const [isErasing, setErasing] = useState(false);
  const [erased, setErased] = useState<string | null>(null);
  const may = useMay();
  const action = useAction(
    (_: FormData) => call('POST /dashboard/subject/erase/', { body: { email: email.trim() } }),
    {
      stale: [],
      then: ({ erasure }) => {
        setErasing(false);
        setErased(erasure.id);
        setEmail('');
      },
    },
  );
  return (
    <Section
      title="Data of one person"
      note="Everything your account keeps of an address, as JSON Lines, for a person who asks you."
    >
      <div className={panel.row}>
        <TextInput
          aria-label="Address of the person"
          placeholder="jane@example.com"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          maxLength={512}
          autoComplete="off"
          spellCheck={false}
        />
        <DownloadButton
          from={addressOf('POST /dashboard/subject.ndjson', { body: { email } })}
          name="verdict-subject.ndjson"
          label="Save file"
        />
        {may('POST /dashboard/subject/erase/') && (
          <Button
            variant="default"
            color="red"
            disabled={email.trim() === ''}
            onClick={() => setErasing(true)}
          >
            Erase…
          </Button>
        )}
      </div>
      {erased !== null && <Erasure id={erased} />}
      {isErasing && (
        <ConfirmByName
          title="Erase a person"
          consequence="Removes the address, its IPs and what you said about it from your checks, outcomes, reviews and files. Counts, invoices and entries of your lists stay. You cannot undo this."
          name={email.trim()}
          label="Address"
          submit="Erase"
          fields={['email']}
          action={action}
          onClose={() => setErasing(false)}
        />
      )}
    </Section>
  );
}

/** How far an erasure is. It ends when nothing of the person can be on its way to storage any more. */
function Erasure({ id }: { id: string }) {
  const { data } = useQuery({
    ...getQuery(['erasures', id], 'GET /dashboard/subject/erasures/:id/', { params: { id } }),
    refetchInterval: (query) => (query.state.data?.erasure.done_at ? false : LOOK_EVERY_MS),
  });
  if (!data) return null;
  const { checks, file_rows: rows, done_at: doneAt } = data.erasure;
  return (
    <p role="status" className={panel.note}>
      {doneAt ? 'Erased' : 'Erased so far'}: {plural(checks, 'check')}, {plural(rows, 'row')} of files.{' '}
      {doneAt ? 'Nothing is left.' : 'Checks of the last seconds follow.'} Receipt {id}.
    </p>
  );
}
