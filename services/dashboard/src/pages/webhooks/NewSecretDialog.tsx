import { ShownOnceDialog } from '../../ui/dialog/ShownOnceDialog.tsx';
import { Time } from '../../ui/format/Time.tsx';

export interface NewSecret {
  readonly secret: string;
  /** Of a rolled one. */
  readonly oldUntil: string | null;
}

/** The secret of a new endpoint, or the next one of an endpoint. */
export function NewSecretDialog({ made, onClose }: { made: NewSecret; onClose: () => void }) {
  const { secret, oldUntil: until } = made;
  return (
    <ShownOnceDialog
      title="Store this secret now"
      text="Your receiver verifies signatures with it. It is not shown again."
      value={secret}
      label="Secret of the endpoint"
      stored="I have stored it"
      onClose={onClose}
    >
      {until &&
        (new Date(until).getTime() <= Date.now() ? (
          <p>The old secret has stopped working.</p>
        ) : (
          <p>
            Messages also carry a signature of the old secret until <Time at={until} /> UTC.
          </p>
        ))}
    </ShownOnceDialog>
  );
}
