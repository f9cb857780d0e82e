import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { connection } from '../api/connection.ts';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { SHELL_TEXTS as TEXTS } from './texts.ts';

/** What a page shows instead of itself; it comes back by itself when the API does. */
export function Crashed({ error }: { error: unknown }) {
  const router = useRouter();
  useEffect(() => connection.subscribe(() => void (connection.isUp() && router.invalidate())), [router]);
  return <ErrorNotice title={TEXTS.crashed} error={error} onRetry={() => void router.invalidate()} />;
}
