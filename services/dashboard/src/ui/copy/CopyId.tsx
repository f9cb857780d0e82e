import { shorten } from '../format/format.ts';
import classes from './CopyId.module.css';
import { useCopy } from './use-copy.ts';

/** An id, shortened in the middle; a click copies the whole. */
export function CopyId({ id, whole = false }: { id: string; whole?: boolean }) {
  const { copied, copy } = useCopy();
  return (
    <button
      type="button"
      className={classes.id}
      title={copied ? 'Copied' : `Copy ${id}`}
      onClick={(event) => {
        event.stopPropagation();
        copy(id);
      }}
    >
      <code>{whole ? id : shorten(id)}</code>
      <span className={classes.state} aria-live="polite">
        {copied ? 'Copied' : ''}
      </span>
    </button>
  );
}
