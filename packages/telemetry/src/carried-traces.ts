import type { Step } from './tracing.js';

/**
 * The trace contexts of a batch: the `traceparent` of each sampled check, separated by commas, because W3C allows one
 * per header. 256 of them take 14 KB of Node's 16 KB of headers.
 */
export function joinCarried(steps: readonly (Step | undefined)[]): string | undefined {
  const carried = steps.flatMap((step) => step?.traceparent ?? []);
  return carried.length === 0 ? undefined : carried.join(',');
}

export const splitCarried = (text: string | undefined): string[] => (text ? text.split(',') : []);
