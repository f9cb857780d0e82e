import { Button } from '@mantine/core';
import { ApiError, UNREACHABLE } from '../api/api-error.ts';
import { IconAlertCircle } from '../icons.tsx';
import { CopyId } from './CopyId.tsx';
import classes from './ErrorNotice.module.css';

const TEXTS = {
  unknown: 'Something in this page failed.',
  request: 'Request',
  again: 'Try again',
  unreachable: 'It is asked again every two seconds; nothing you did is lost.',
};

/** What happened, what to do, and the request id to copy. */
export function ErrorNotice({
  error,
  title,
  onRetry,
}: {
  error: unknown;
  title?: string;
  onRetry?: () => void;
}) {
  const known = error instanceof ApiError ? error : null;
  return (
    <div className={classes.notice} role="alert">
      <IconAlertCircle size={18} />
      <div className={classes.words}>
        {title && <strong>{title}</strong>}
        <p>{known ? known.message : TEXTS.unknown}</p>
        {known?.code === UNREACHABLE && <p>{TEXTS.unreachable}</p>}
        {known && known.fields.length > 0 && (
          <ul>
            {known.fields.map(({ field, message }) => (
              <li key={field}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
        )}
        {known?.requestId && (
          <p className={classes.request}>
            {TEXTS.request} <CopyId id={known.requestId} />
          </p>
        )}
      </div>
      {onRetry && (
        <Button variant="default" size="xs" onClick={onRetry}>
          {TEXTS.again}
        </Button>
      )}
    </div>
  );
}
