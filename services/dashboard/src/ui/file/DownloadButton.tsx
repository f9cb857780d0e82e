import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Address } from '../../api/call.ts';
import { download, type Progress } from '../../api/download.ts';
import { IconDownload } from '../../icons.tsx';
import { useAction } from '../action/use-action.ts';
import { showError } from '../error/show-error.ts';
import { formatBytes, plural } from '../format/format.ts';
import panel from '../page/Panel.module.css';

/** Saves a file; while it comes, says how much is here and can be stopped. */
export function DownloadButton({ from, name, label }: { from: Address; name: string; label: string }) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const stop = useRef<AbortController>(null);
  const saving = useAction(
    () => {
      stop.current = new AbortController();
      setProgress(null);
      return download(from, { name, signal: stop.current.signal, onProgress: setProgress });
    },
    {
      done: ({ rows, bytes }) => ({
        title: 'Saved',
        message: `${name}: ${plural(rows, 'row')}, ${formatBytes(bytes)}`,
      }),
      onError: (error) => {
        if (!stop.current?.signal.aborted) showError('Could not create the file')(error);
      },
    },
  );
  if (saving.isPending) {
    return (
      <div className={panel.row}>
        <p className={panel.note} role="status">
          {progress ? `${plural(progress.rows, 'row')}, ${formatBytes(progress.bytes)}` : 'Creating the file'}
        </p>
        <Button variant="default" onClick={() => stop.current?.abort()}>
          Stop
        </Button>
      </div>
    );
  }
  return (
    <Button variant="default" leftSection={<IconDownload size={15} />} onClick={() => saving.mutate()}>
      {label}
    </Button>
  );
}
