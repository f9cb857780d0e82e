import type { Step } from './tracing.js';

/**
 * A batch carries checks of different traces, so it carries as many contexts: the `traceparent` of each sampled check,
 * separated by commas. W3C allows one in its own header. 256 of them take 14 KB, less than Node's 16 KB of headers.
 */
export function joinCarried(steps: readonly (Step | undefined)[]): string | undefined {
  const carried = steps.flatMap((step) => step?.traceparent ?? []);
  return carried.length === 0 ? undefined : carried.join(',');
}

export const splitCarried = (text: string | undefined): string[] => (text ? text.split(',') : []);
