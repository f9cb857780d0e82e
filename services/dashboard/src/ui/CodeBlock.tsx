import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './CodeBlock.module.css';
import { useCopy } from './use-copy.ts';

/** Code to read and take along. */
export function CodeBlock({ code, label, tall = false }: { code: string; label: string; tall?: boolean }) {
  const { copied, copy } = useCopy();
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={classes.code} data-tall={tall || undefined} tabIndex={0} aria-label={label}>
        <code>{code}</code>
      </pre>
      <button type="button" className={classes.copy} onClick={() => copy(code)}>
        {copied ? <IconCheck size={14} aria-hidden="true" /> : <IconCopy size={14} aria-hidden="true" />}
        <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
      </button>
    </div>
  );
}
