import { Button, FileButton, NativeSelect, Progress, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { subscriptionQuery } from '../../api/billing.ts';
import { JOBS, uploadJob } from '../../api/jobs.ts';
import { type ApiKey, keysQuery } from '../../api/keys.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { countRows } from './count-rows.ts';
import classes from './FileDrop.module.css';
import { LargerPlan } from './LargerPlan.tsx';
import { saveSampleFile } from './sample-file.ts';
import { BULK_TEXTS as TEXTS } from './texts.ts';

const isTooLong = (error: unknown): boolean => error instanceof ApiError && error.code === 'too_many_rows';

const isUsable = ({ status, mode }: ApiKey): boolean => status === 'active' && mode === 'live';

/** Takes a file, shows how much of it has left, and opens its job. */
export function FileDrop() {
  const keys = useQuery(keysQuery);
  const active = keys.data?.keys.filter(isUsable) ?? [];
  const [chosen, setChosen] = useState('');
  const keyId = chosen || active[0]?.id || '';
  const [column, setColumn] = useState('');
  const [columnsFound, setColumnsFound] = useState<readonly string[]>([]);
  const [rows, setRows] = useState<number>();
  const [share, setShare] = useState(0);
  const stop = useRef<AbortController>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const sending = useAction(
    async (file: File) => {
      stop.current = new AbortController();
      setShare(0);
      const { signal } = stop.current;
      // A file may be dropped before it is known which keys there are.
      const known = (await client.ensureQueryData(keysQuery)).keys;
      return uploadJob({
        file,
        keyId: keyId || (known.find(isUsable)?.id ?? ''),
        column: column.trim(),
        signal,
        onProgress: setShare,
      });
    },
    {
      stale: [JOBS],
      onError: (error) => setColumnsFound(error instanceof ApiError ? error.columns : []),
      then: ({ job }) => navigate({ to: '/bulk/$id', params: { id: job.id } }),
    },
  );
  const take = (file: File | null | undefined) => {
    if (!file || sending.isPending) return;
    if (file !== sending.variables) setColumnsFound([]);
    setRows(undefined);
    void countRows(file).then(setRows, () => undefined);
    sending.mutate(file);
  };

  if (keys.data && active.length === 0) {
    return (
      <p>
        You need an active live key to check a file. <Link to="/developers/keys">Create a key</Link>
      </p>
    );
  }
  return (
    <>
      <DropZone onDrop={take}>
        {sending.isPending ? (
          <Sending name={sending.variables.name} share={share} onStop={() => stop.current?.abort()} />
        ) : (
          <Choosing onChoose={take} />
        )}
      </DropZone>
      <div className={classes.options}>
        <NativeSelect
          label="Charge to key"
          value={keyId}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={active.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <ColumnField found={columnsFound} value={column} onChange={setColumn} />
        {columnsFound.length > 0 && sending.variables && (
          <Button
            disabled={column === ''}
            loading={sending.isPending}
            onClick={() => take(sending.variables)}
          >
            {`Upload ${sending.variables.name} again`}
          </Button>
        )}
      </div>
      {!keys.data && (
        <Loaded query={keys} what="the keys" skeleton={null}>
          {() => null}
        </Loaded>
      )}
      {sending.error && !stop.current?.signal.aborted && (
        <ErrorNotice
          title="Upload failed"
          error={
            columnsFound.length > 0
              ? new ApiError(
                  400,
                  'no_email_column',
                  'No column of email addresses found. Choose it above and upload the file again.',
                )
              : sending.error
          }
        >
          {isTooLong(sending.error) && <LargerPlan rows={rows} />}
        </ErrorNotice>
      )}
    </>
  );
}

/** The column with the addresses: one of those found in the file, or a name to type before it is read. */
function ColumnField({
  found,
  value,
  onChange,
}: {
  found: readonly string[];
  value: string;
  onChange: (column: string) => void;
}) {
  return found.length > 0 ? (
    <NativeSelect
      label="Address column"
      description="The columns of your file."
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: 'Choose a column' }, ...found]}
      autoFocus
    />
  ) : (
    <TextInput
      label="Address column"
      description="Leave empty to find it by name: email, e-mail, mail …"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
    />
  );
}

function Sending({ name, share, onStop }: { name: string; share: number; onStop: () => void }) {
  return (
    <div className={classes.sending}>
      <span>{TEXTS.uploading(name)}</span>
      <Progress value={share * 100} aria-label={TEXTS.uploading(name)} />
      <Button variant="default" size="xs" onClick={onStop}>
        Stop
      </Button>
    </div>
  );
}

function Choosing({ onChoose }: { onChoose: (file: File | null) => void }) {
  const { data } = useQuery(subscriptionQuery);
  const plan = data?.plans.find(({ current }) => current);
  return (
    <>
      <div className={classes.words}>
        <strong>Drop a file here</strong>
        <span>CSV with a header row, NDJSON or a JSON array.</span>
        <span>{plan ? TEXTS.limits(plan) : 'Up to 100 MB.'}</span>
      </div>
      <div className={classes.buttons}>
        <FileButton onChange={onChoose} accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl">
          {(props) => <Button {...props}>Choose a file</Button>}
        </FileButton>
        <Button variant="default" onClick={saveSampleFile}>
          Sample file
        </Button>
      </div>
    </>
  );
}

function DropZone({
  onDrop,
  children,
}: {
  onDrop: (file: File | undefined) => void;
  children: React.ReactNode;
}) {
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button inside
    <div
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrop(event.dataTransfer.files[0]);
      }}
    >
      {children}
    </div>
  );
}
