import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKey, KEYS, updateKey } from '../../api/keys.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { KeyLimitsFields, LIMIT_FIELDS } from './KeyLimitsFields.tsx';
import { limitsOf } from './key-limits.ts';
import { LIMITS_TEXTS as TEXTS } from './texts.ts';

export function KeyLimitsDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (form: FormData) => updateKey(apiKey.id, limitsOf(form)),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: KEYS });
    },
  });
  return (
    <FormDialog
      title={TEXTS.title(apiKey.name)}
      submit={TEXTS.submit}
      fields={LIMIT_FIELDS}
      acting={change}
      onSubmit={change.mutate}
      onClose={onClose}
    >
      <KeyLimitsFields of={apiKey} metered={apiKey.mode === 'live'} error={change.error} />
    </FormDialog>
  );
}
