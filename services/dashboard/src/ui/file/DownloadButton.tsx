import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Address } from '../../api/call.ts';
import { download, type Progress } from '../../api/download.ts';
import { IconDownload } from '../../icons.tsx';
import { showError } from '../error/show-error.ts';
import { formatBytes, plural } from '../format/format.ts';
import panel from '../page/Panel.module.css';

const TEXTS = {
  failed: 'Could not create the file',
  saved: 'Saved',
  begins: 'Creating the file',
  stop: 'Stop',
};

/** Saves a file; while it comes, says how much is here and can be stopped. */
export function DownloadButton({ from, name, label }: { from: Address; name: string; label: string }) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const stop = useRef<AbortController>(null);
  const saving = useMutation({
    mutationFn: () => {
      stop.current = new AbortController();
      return download(from, {
        name,
        signal: stop.current.signal,
        onProgress: setProgress,
      });
    },
    onSuccess: ({ rows, bytes }) =>
      notifications.show({
        title: TEXTS.saved,
        message: `${name}: ${plural(rows, 'row')}, ${formatBytes(bytes)}`,
      }),
    onError: (error) => {
      if (!stop.current?.signal.aborted) showError(TEXTS.failed)(error);
    },
    onSettled: () => setProgress(null),
  });
  if (saving.isPending) {
    return (
      <div className={panel.row}>
        <p className={panel.note} role="status">
          {progress ? `${plural(progress.rows, 'row')}, ${formatBytes(progress.bytes)}` : TEXTS.begins}
        </p>
        <Button variant="default" onClick={() => stop.current?.abort()}>
          {TEXTS.stop}
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
