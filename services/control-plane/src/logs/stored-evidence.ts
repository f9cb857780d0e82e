import type { LogDetailRow } from '@verdict/db/checks/log-reading.js';

type Stored = Pick<LogDetailRow, 'datasets' | 'factors' | 'reasons'>;

/**
 * The evidence stored with a check. Its sentences are stored apart from the factors, in the same order, and expire
 * earlier.
 */
export function storedEvidence({ datasets, factors, reasons }: Stored) {
  const [disposable_domains = '', free_providers = '', role_prefixes = ''] = datasets.split('/');
  const told = reasons.length === factors.length;
  return {
    datasets: { disposable_domains, free_providers, role_prefixes },
    factors: factors.map(({ code, points }, i) => ({
      code,
      points,
      reason: told ? (reasons[i] ?? null) : null,
    })),
  };
}
