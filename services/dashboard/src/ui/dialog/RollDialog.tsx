import { NativeSelect } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { useAction } from '../action/use-action.ts';
import { FormDialog } from './FormDialog.tsx';

const OVERLAPS = [
  { value: '0', label: 'Stop the old one now' },
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '259200', label: 'Three days' },
  { value: '604800', label: 'Seven days' },
];
const A_DAY = '86400';

/** Puts a new secret in the place of another, which works on beside it for the time that is chosen. */
export function RollDialog<Rolled>({
  title,
  texts,
  roll,
  stale,
  onRolled,
  onClose,
}: {
  title: string;
  texts: Readonly<Record<'text' | 'overlap' | 'submit', string>>;
  roll: (overlapSeconds: number) => Promise<Rolled>;
  /** The queries to refetch afterwards. */
  stale: QueryKey;
  onRolled: (rolled: Rolled) => void;
  onClose: () => void;
}) {
  const rolling = useAction((form: FormData) => roll(Number(form.get('overlap'))), {
    stale: [stale],
    then: (rolled) => {
      onClose();
      onRolled(rolled);
    },
  });
  return (
    <FormDialog title={title} submit={texts.submit} action={rolling} onClose={onClose}>
      <p>{texts.text}</p>
      <NativeSelect
        label={texts.overlap}
        name="overlap"
        defaultValue={A_DAY}
        data={OVERLAPS}
        data-autofocus
      />
    </FormDialog>
  );
}
