import { VerdictError } from '../verdict-error.js';

/** The outcomes that a script can distinguish without reading sentences. */
export const EXIT = {
  done: 0,
  error: 1,
  usage: 2,
  notCompleted: 3,
  refused: 4,
  unavailable: 5,
  interrupted: 130,
};

export function exitCodeOf(error: unknown): number {
  if (error instanceof VerdictError) {
    if (error.code === 'aborted') return EXIT.interrupted;
    if (error.code === 'not_configured' || error.status === 401 || error.status === 403) return EXIT.refused;
    return error.validatorUnavailable ? EXIT.unavailable : EXIT.error;
  }
  const { code = '' } = error as { code?: string };
  return /^(ERR_PARSE_ARGS|ENOENT|EACCES|EISDIR|EPERM)/.test(code) ? EXIT.usage : EXIT.error;
}
