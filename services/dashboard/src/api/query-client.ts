import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { session } from './session.ts';

const FIRST_RETRY_MS = 400;
const RETRY_MS = 2000;

/** Retries for as long as the server is away, so that every page recovers without a click. */
export const retriesPassing = (_count: number, error: unknown): boolean =>
  error instanceof ApiError && error.passing;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      networkMode: 'always',
      retry: retriesPassing,
      retryDelay: (count) => (count === 0 ? FIRST_RETRY_MS : RETRY_MS),
    },
    mutations: { networkMode: 'always' },
  },
});

// Nothing of one user is left for the next.
session.subscribe(() => {
  if (session.state() === 'out') queryClient.clear();
});
