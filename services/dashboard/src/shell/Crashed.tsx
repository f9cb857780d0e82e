import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.ts';
import { ErrorNotice } from '../ui/error/ErrorNotice.tsx';
import { SHELL_TEXTS as TEXTS } from './texts.ts';

const AGAIN_MS = 2000;

/** Replaces a page that failed, and retries when the API is back. */
export function Crashed({ error }: { error: unknown }) {
  const router = useRouter();
  const passing = error instanceof ApiError && error.passing;
  useEffect(() => {
    if (!passing) return;
    const timer = setInterval(() => void router.invalidate(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [passing, router]);
  return <ErrorNotice title={TEXTS.crashed} error={error} onRetry={() => void router.invalidate()} />;
}
