import { call } from '../../api/call.ts';
import { HOOKS, type Hook } from '../../api/hooks.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { HOOK_FIELDS, HookFields, hookOf, hookTermsOf } from './HookFields.tsx';
import type { NewHook } from './NewHookDialog.tsx';

/** Creates a hook, or edits `of`. */
export function HookDialog({
  of,
  onCreated,
  onClose,
}: {
  of?: Hook;
  onCreated?: (made: NewHook) => void;
  onClose: () => void;
}) {
  const saving = useAction(
    async (form: FormData): Promise<NewHook | null> => {
      if (!of) return call('POST /dashboard/hooks/', { body: hookOf(form) });
      await call('PATCH /dashboard/hooks/:id/', { params: { id: of.id }, body: hookTermsOf(form) });
      return null;
    },
    {
      stale: [HOOKS],
      ...(of && { done: 'Hook saved' }),
      then: (made) => {
        onClose();
        if (made) onCreated?.(made);
      },
    },
  );
  return (
    <FormDialog
      title={of ? 'Edit the hook' : 'Create a hook'}
      submit={of ? 'Save changes' : 'Create hook'}
      fields={HOOK_FIELDS}
      action={saving}
      onClose={onClose}
    >
      <HookFields {...(of && { of })} error={saving.error} />
    </FormDialog>
  );
}
