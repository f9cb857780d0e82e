import { call } from '../../api/call.ts';
import { type ApiKey, KEYS } from '../../api/keys.ts';
import { RollDialog } from '../../ui/dialog/RollDialog.tsx';
import type { NewValue } from './NewValueDialog.tsx';
import { ROLL_TEXTS } from './texts.ts';

/** Gives a key a new value, and shows it once. */
export function RollKey({
  apiKey: { id, name },
  onNewValue,
  onClose,
}: {
  apiKey: ApiKey;
  onNewValue: (made: NewValue) => void;
  onClose: () => void;
}) {
  return (
    <RollDialog
      title={ROLL_TEXTS.title(name)}
      texts={ROLL_TEXTS}
      roll={(overlap_seconds) =>
        call('POST /dashboard/keys/:id/roll/', { params: { id }, body: { overlap_seconds } })
      }
      stale={KEYS}
      onRolled={(rolled) =>
        onNewValue({
          name: rolled.key.name,
          value: rolled.api_key,
          inEffect: rolled.in_effect,
          oldValueUntil: rolled.old_value_expires_at,
        })
      }
      onClose={onClose}
    />
  );
}
