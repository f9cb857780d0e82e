import type { CreateKeyBody } from '@verdict/contracts/dashboard/keys-api.js';
import { DEFAULT_SCOPES } from '@verdict/domain/key-words.js';
import type { ApiKey } from '../../api/keys.ts';
import { formatCount } from '../../ui/format/format.ts';
import { LIMITS_TEXTS as TEXTS } from './texts.ts';

type Limits = Pick<CreateKeyBody, 'expires_at' | 'allowed_ips' | 'monthly_quota' | 'scopes'>;

/** The limits of a key as the form has them; an empty field means no limit. */
export function limitsOf(form: FormData): Limits {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const networks = text('allowed_ips')
    .split(/[\s,]+/)
    .filter(Boolean);
  const scopes = form.getAll('scopes') as NonNullable<Limits['scopes']>;
  return {
    // To the end of the day that was chosen.
    expires_at: text('expires_on') ? `${text('expires_on')}T23:59:59Z` : null,
    allowed_ips: networks,
    monthly_quota: text('monthly_quota') ? Number(text('monthly_quota')) : null,
    scopes,
  };
}

/** The limits of a key in a few words; '' for a key without limits. */
export function limitsText({ mode, expires_at, allowed_ips, monthly_quota, scopes }: ApiKey): string {
  return [
    mode === 'test' && 'test key',
    expires_at && TEXTS.until(expires_at.slice(0, 10), new Date(expires_at) <= new Date()),
    monthly_quota !== null && `${formatCount(monthly_quota)} a month`,
    allowed_ips.length > 0 && TEXTS.networks(allowed_ips.length),
    scopesText(scopes),
  ]
    .filter(Boolean)
    .join(' · ');
}

function scopesText(scopes: ApiKey['scopes']): string {
  const usual: readonly string[] = DEFAULT_SCOPES;
  if (!usual.every((scope) => scopes.some((own) => own === scope))) return `only ${scopes.join(', ')}`;
  const more = scopes.filter((scope) => !usual.includes(scope));
  return more.length > 0 ? `also ${more.join(', ')}` : '';
}
