import { useSyncExternalStore } from 'react';
import { connection } from '../api/connection.ts';
import { IconPlugConnectedX } from '../icons.tsx';
import classes from './ConnectionBanner.module.css';

/** InlineCode once for the whole page while the API is away. */
export function ConnectionBanner() {
  const up = useSyncExternalStore(connection.subscribe, connection.isUp);
  return (
    <div role="status" className={up ? undefined : classes.banner}>
      {!up && (
        <>
          <IconPlugConnectedX size={17} /> Cannot reach Verdict. Retrying every 2 seconds; data may be out of
          date.
        </>
      )}
    </div>
  );
}
