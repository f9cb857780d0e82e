import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Address } from '../../api/call.ts';
import { save } from '../../api/download.ts';
import { requestRaw } from '../../api/request.ts';
import { showError } from '../error/show-error.ts';

const TEXTS = { failed: 'Could not create the file' };

/** Saves a small file, such as an invoice, that only a session may fetch. For a cell of a table. */
export function SaveFileButton({
  from,
  name,
  label,
  title,
}: {
  from: Address;
  name: string;
  label: string;
  /** Details that the label leaves out. */
  title: string;
}) {
  const saving = useMutation({
    mutationFn: async () => {
      const response = await requestRaw(from);
      save(await response.blob(), name);
    },
    onError: showError(TEXTS.failed),
  });
  return (
    <Button
      variant="default"
      size="compact-xs"
      aria-label={title}
      title={title}
      loading={saving.isPending}
      onClick={() => saving.mutate()}
    >
      {label}
    </Button>
  );
}
