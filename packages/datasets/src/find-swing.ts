import type { DatasetSnapshot } from './dataset-snapshot.js';

/** More than this, and it is likelier that a source broke than that the world changed. */
export const SWING_MAX = 0.2;

/** The dataset that grew or shrank too much between two loads, as a sentence, or undefined. */
export function findSwing(old: DatasetSnapshot, next: DatasetSnapshot): string | undefined {
  const sizes: [string, number, number][] = [
    ['disposable domains', old.disposable.size, next.disposable.size],
    ['free providers', old.freeProviders.size, next.freeProviders.size],
    ['known mail', old.knownMail.size, next.knownMail.size],
    ['role prefixes', old.roles.size, next.roles.size],
  ];
  for (const [name, before, after] of sizes) {
    if (Math.abs(after - before) > before * SWING_MAX) {
      return `${name} went from ${before} to ${after} entries, more than ${SWING_MAX * 100} %`;
    }
  }
  return undefined;
}
