import { AppError } from '@verdict/service-kit/app-error.js';
import { unavailable } from '@verdict/service-kit/errors.js';

/** The public error of a part that failed: its own where it has one, else 503. */
export const failureOf = (part: string, error: unknown): AppError =>
  error instanceof AppError ? error : unavailable(part, error);
