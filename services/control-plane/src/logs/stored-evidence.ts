import type { LogDetailRow } from '@verdict/db/checks/log-reading.js';

type Stored = Pick<LogDetailRow, 'datasets' | 'factors' | 'reasons'>;

/** What was written down with a check. The sentences lie apart from the factors, in the same order, and leave before them. */
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
