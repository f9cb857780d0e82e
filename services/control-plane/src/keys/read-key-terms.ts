import type { UpdateKeyBody } from '@verdict/contracts/dashboard/keys-api.js';
import type { KeyTerms } from '@verdict/db/keys/api-keys.js';
import { parseIpNetwork } from '@verdict/domain/address/ip-network.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import { readExpiry } from '../http/read-expiry.js';

type Asked = Pick<UpdateKeyBody, 'expires_at' | 'allowed_ips' | 'monthly_quota' | 'scopes'>;

/** The limits that a body names, in their stored form. Omitted fields stay omitted. */
export function readKeyTerms(body: Asked, now: Date): Partial<KeyTerms> {
  const { expires_at, allowed_ips, monthly_quota, scopes } = body;
  return {
    ...(expires_at !== undefined && {
      expires_at: readExpiry(expires_at, now, 'to end a key now, deactivate or revoke it'),
    }),
    ...(allowed_ips !== undefined && { allowed_ips: [...new Set(allowed_ips.map(readNetwork))] }),
    ...(monthly_quota !== undefined && { monthly_quota }),
    ...(scopes !== undefined && { scopes: [...scopes].sort() }),
  };
}

/** A test key is never metered, so it has nothing to hold a quota against. */
export function refuseQuota({ monthly_quota }: Partial<KeyTerms>): void {
  if (monthly_quota != null) throw invalidField('monthly_quota', 'a test key is never metered');
}

function readNetwork(text: string): string {
  const parsed = parseIpNetwork(text);
  if (!parsed.ok) throw invalidField('allowed_ips', `${JSON.stringify(text)} ${parsed.message}`);
  return parsed.network.text;
}
