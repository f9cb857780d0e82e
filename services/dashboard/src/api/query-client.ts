import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { connection } from './connection.ts';
import { session } from './session.ts';

const RETRIES = 1;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      networkMode: 'always',
      retry: (count, error) => error instanceof ApiError && error.passing && count < RETRIES,
      retryDelay: 400,
    },
    mutations: { networkMode: 'always' },
  },
});

// Back again: what failed meanwhile is asked anew.
connection.subscribe(() => {
  if (connection.isUp())
    void queryClient.invalidateQueries({ predicate: (query) => query.state.status === 'error' });
});

// Nothing of one user is left for the next.
session.subscribe(() => {
  if (session.state() === 'out') queryClient.clear();
});
