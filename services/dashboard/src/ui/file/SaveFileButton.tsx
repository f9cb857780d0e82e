import { Button } from '@mantine/core';
import type { Address } from '../../api/call.ts';
import { save } from '../../api/download.ts';
import { requestRaw } from '../../api/request.ts';
import { useAction } from '../action/use-action.ts';

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
  const saving = useAction(async () => save(await (await requestRaw(from)).blob(), name), {
    failed: 'Could not create the file',
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
