import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Domains that the benchmark's own DNS server knows. */
export const COMPANY_DOMAINS = Array.from({ length: 50 }, (_, i) => `company-${i}.bench-corp.com`);

/**
 * A customer's traffic, no address twice: two fifths big providers, two fifths companies, one fifth disposable; every third with an IP.
 * @param {string} directory
 * @returns {string} file with one JSON body per line
 */
export function writeBodies(directory, count = 50_000) {
  const lines = Array.from({ length: count }, (_, i) => JSON.stringify(bodyFor(i)));
  const file = path.join(directory, 'bodies.txt');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

function bodyFor(i) {
  const email = `jane.doe${i}@${domainFor(i)}`;
  return i % 3 === 0 ? { email, ip: `203.0.113.${i % 250}` } : { email };
}

function domainFor(i) {
  switch (i % 5) {
    case 0:
      return 'gmail.com';
    case 1:
      return 'outlook.com';
    case 2:
      return 'mailinator.com';
    default:
      return COMPANY_DOMAINS[i % COMPANY_DOMAINS.length];
  }
}

/** Each body has a new domain. @param {string} tag */
export const neverSeenBodies = (tag, count = 2_000) =>
  Array.from({ length: count }, (_, i) => JSON.stringify({ email: `a@never-${tag}-${i}.slow-corp.com` }));
