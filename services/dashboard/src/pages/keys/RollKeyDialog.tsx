import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKey, KEYS, rollKey } from '../../api/keys.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { OverlapSelect, overlapOf } from '../../ui/OverlapSelect.tsx';
import type { NewValue } from './NewValueDialog.tsx';
import { ROLL_TEXTS as TEXTS } from './texts.ts';

export function RollKeyDialog({
  apiKey,
  onClose,
  onRolled,
}: {
  apiKey: ApiKey;
  onClose: () => void;
  onRolled: (made: NewValue) => void;
}) {
  const client = useQueryClient();
  const rolling = useMutation({
    mutationFn: (form: FormData) => rollKey(apiKey.id, overlapOf(form)),
    onSuccess: async (rolled) => {
      onClose();
      onRolled({
        name: rolled.key.name,
        value: rolled.api_key,
        inEffect: rolled.in_effect,
        oldValueUntil: rolled.old_value_expires_at,
      });
      await client.invalidateQueries({ queryKey: KEYS });
    },
  });
  return (
    <FormDialog
      title={TEXTS.title(apiKey.name)}
      submit={TEXTS.submit}
      cancel={TEXTS.cancel}
      acting={rolling}
      onSubmit={rolling.mutate}
      onClose={onClose}
    >
      <p>{TEXTS.text}</p>
      <OverlapSelect label={TEXTS.overlap} />
    </FormDialog>
  );
}
