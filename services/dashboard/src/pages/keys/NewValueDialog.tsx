import { ShownOnceDialog } from '../../ui/dialog/ShownOnceDialog.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { VALUE_TEXTS as TEXTS } from './texts.ts';

export interface NewValue {
  readonly name: string;
  readonly value: string;
  readonly inEffect: boolean;
  /** Of a rolled key. */
  readonly oldValueUntil: string | null;
}

/** The value of a new or rolled key. */
export function NewValueDialog({ made, onClose }: { made: NewValue; onClose: () => void }) {
  const { name, value, inEffect, oldValueUntil: until } = made;
  return (
    <ShownOnceDialog
      title={TEXTS.title(name)}
      text={TEXTS.text}
      value={value}
      label={TEXTS.label}
      stored={TEXTS.stored}
      onClose={onClose}
    >
      <p role="status">
        {inEffect ? TEXTS.works : TEXTS.soon}{' '}
        {until &&
          (new Date(until).getTime() <= Date.now() ? (
            TEXTS.oldEnded
          ) : (
            <>
              {TEXTS.old} <Time at={until} /> UTC.
            </>
          ))}
      </p>
    </ShownOnceDialog>
  );
}
