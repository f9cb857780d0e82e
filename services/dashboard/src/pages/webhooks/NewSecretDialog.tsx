import { ShownOnceDialog } from '../../ui/dialog/ShownOnceDialog.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { SECRET_TEXTS as TEXTS } from './texts.ts';

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
      title={TEXTS.title}
      text={TEXTS.text}
      value={secret}
      label={TEXTS.label}
      stored={TEXTS.stored}
      onClose={onClose}
    >
      {until &&
        (new Date(until).getTime() <= Date.now() ? (
          <p>{TEXTS.oldEnded}</p>
        ) : (
          <p>
            {TEXTS.old} <Time at={until} /> UTC.
          </p>
        ))}
    </ShownOnceDialog>
  );
}
