import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKey, KEYS, updateKey } from '../../api/keys.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { KeyTermsFields } from './KeyTermsFields.tsx';
import { termsOf } from './key-terms.ts';
import { TERMS_TEXTS as TEXTS } from './texts.ts';

export function KeyTermsDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (form: FormData) => updateKey(apiKey.id, termsOf(form)),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: KEYS });
    },
  });
  return (
    <FormDialog
      title={TEXTS.title(apiKey.name)}
      submit={TEXTS.submit}
      acting={change}
      onSubmit={change.mutate}
      onClose={onClose}
    >
      <KeyTermsFields of={apiKey} metered={apiKey.mode === 'live'} />
    </FormDialog>
  );
}
