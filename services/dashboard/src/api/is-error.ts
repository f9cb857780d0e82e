import { ApiError } from './api-error.ts';

/** Whether the server refused with this code. */
export const isError = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.code === code;
