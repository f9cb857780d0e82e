import { Button } from '@mantine/core';
import { ApiError } from '../../api/api-error.ts';
import { IconAlertCircle } from '../../icons.tsx';
import { CopyId } from '../copy/CopyId.tsx';
import { ChangePlan } from '../quota/ChangePlan.tsx';
import classes from './ErrorNotice.module.css';
import { fieldSentence } from './field-error.ts';
import { wordsOf } from './message-of.ts';

/** Customers need the request id only for failures that the operator has to look up. */
const isForSupport = ({ status }: ApiError): boolean => status === 403 || status >= 500;

/** Says what happened and what to do. Leaves out the errors of `fields`, which the form shows at their inputs. */
export function ErrorNotice({
  error,
  title,
  fields = [],
  onRetry,
  children,
}: {
  error: unknown;
  title?: string;
  fields?: readonly string[];
  onRetry?: () => void;
  /** A way out, such as a link. */
  children?: React.ReactNode;
}) {
  const known = error instanceof ApiError ? error : null;
  const others = known?.fields.filter(({ field }) => !fields.includes(field.split('.')[0] ?? '')) ?? [];
  const isAtFields = known !== null && known.fields.length > 0 && others.length === 0;
  if (isAtFields && !known.isOfPlan) return null;
  return (
    <div className={classes.notice} role="alert">
      <IconAlertCircle size={18} />
      <div className={classes.words}>
        {title && <strong>{title}</strong>}
        {others.length > 0
          ? others.map(({ field, message }) => <p key={field}>{fieldSentence(wordsOf(field), message)}</p>)
          : !isAtFields && <p>{known ? known.message : 'Something on this page failed. Reload it.'}</p>}
        {known?.isOfPlan && (
          <p>
            A larger plan has more room. <ChangePlan />
          </p>
        )}
        {known?.passing && onRetry && <p>Retrying every two seconds.</p>}
        {children}
        {known?.requestId && isForSupport(known) && (
          <p className={classes.request}>
            Request <CopyId id={known.requestId} />
          </p>
        )}
      </div>
      {onRetry && (
        <Button variant="default" size="xs" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
