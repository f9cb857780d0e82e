import { useSyncExternalStore } from 'react';
import { connection } from '../api/connection.ts';
import { IconPlugConnectedX } from '../icons.tsx';
import classes from './ConnectionBanner.module.css';
import { SHELL_TEXTS as TEXTS } from './texts.ts';

/** InlineCode once for the whole page while the API is away. */
export function ConnectionBanner() {
  const up = useSyncExternalStore(connection.subscribe, connection.isUp);
  return (
    <div role="status" className={up ? undefined : classes.banner}>
      {!up && (
        <>
          <IconPlugConnectedX size={17} /> {TEXTS.down}
        </>
      )}
    </div>
  );
}
