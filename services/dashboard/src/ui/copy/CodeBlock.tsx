import { IconCheck, IconCopy } from '../../icons.tsx';
import { ScrollBox } from '../page/ScrollBox.tsx';
import classes from './CodeBlock.module.css';
import { useCopy } from './use-copy.ts';

/** Code to read and take along. */
export function CodeBlock({ code, label, tall = false }: { code: string; label: string; tall?: boolean }) {
  const { copied, copy } = useCopy();
  return (
    <div className={classes.block}>
      <ScrollBox label={label} className={classes.code} data-tall={tall || undefined}>
        <pre>
          <code>{code}</code>
        </pre>
      </ScrollBox>
      <button type="button" className={classes.copy} onClick={() => copy(code)}>
        {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
      </button>
    </div>
  );
}
