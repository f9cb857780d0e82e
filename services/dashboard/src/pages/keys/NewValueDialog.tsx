import { ShownOnceDialog } from '../../ui/dialog/ShownOnceDialog.tsx';
import { Time } from '../../ui/format/Time.tsx';

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
      title={`Store the key ${name}`}
      text="Copy it now. Only a hash is stored, so it cannot be shown again."
      value={value}
      label="The key"
      stored="I have stored it"
      onClose={onClose}
    >
      <p role="status">
        {inEffect ? 'The key works now.' : 'The key works within seconds.'}{' '}
        {until &&
          (new Date(until).getTime() <= Date.now() ? (
            'The old value has stopped working.'
          ) : (
            <>
              The old value works until <Time at={until} /> UTC.
            </>
          ))}
      </p>
    </ShownOnceDialog>
  );
}
