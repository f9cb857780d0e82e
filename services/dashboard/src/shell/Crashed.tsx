import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.ts';
import { connection } from '../api/connection.ts';
import { ErrorNotice } from '../ui/error/ErrorNotice.tsx';
import { PageNotLoaded } from './lazy-page.ts';

const AGAIN_MS = 2000;

/** Replaces a page that failed, and retries while the server is away. */
export function Crashed({ error }: { error: unknown }) {
  const router = useRouter();
  const isIncomplete = error instanceof PageNotLoaded;
  const passing = isIncomplete || (error instanceof ApiError && error.passing);
  useEffect(() => {
    if (!passing) return;
    const again = async () => {
      if (!isIncomplete) await router.invalidate();
      else if (await connection.probe()) window.location.reload();
    };
    const timer = setInterval(() => void again(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [isIncomplete, passing, router]);
  return (
    <ErrorNotice
      title="Could not show this page"
      error={isIncomplete ? ApiError.unreachable() : error}
      onRetry={() => (isIncomplete ? window.location.reload() : void router.invalidate())}
    />
  );
}
