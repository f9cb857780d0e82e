import { Checkbox, TextInput } from '@mantine/core';
import type { ApiKey } from '../../api/keys.ts';
import { fieldError } from '../../ui/error/field-error.ts';
import { LIMITS_TEXTS as TEXTS } from './texts.ts';

/** The API fields that show errors at their inputs. */
export const LIMIT_FIELDS = ['expires_at', 'monthly_quota', 'allowed_ips'] as const;

/** The limits of a key; every field may stay empty. limitsOf reads them. */
export function KeyLimitsFields({ of, metered, error }: { of?: ApiKey; metered: boolean; error: unknown }) {
  const scopes = of?.scopes ?? ['check', 'jobs', 'usage'];
  return (
    <>
      <TextInput
        label={TEXTS.expires}
        description={TEXTS.expiresHint}
        type="date"
        name="expires_on"
        error={fieldError(error, 'expires_at', TEXTS.expires)}
        data-autofocus={of !== undefined || undefined}
        defaultValue={of?.expires_at?.slice(0, 10) ?? ''}
      />
      {metered && (
        <TextInput
          label={TEXTS.quota}
          description={TEXTS.quotaHint}
          type="number"
          min={1}
          name="monthly_quota"
          error={fieldError(error, 'monthly_quota', TEXTS.quota)}
          defaultValue={of?.monthly_quota ?? ''}
        />
      )}
      <TextInput
        label={TEXTS.allowed}
        description={TEXTS.allowedHint}
        name="allowed_ips"
        error={fieldError(error, 'allowed_ips', TEXTS.allowed)}
        autoComplete="off"
        defaultValue={of?.allowed_ips.join(', ') ?? ''}
      />
      <Checkbox
        name="scopes"
        value="check"
        label={TEXTS.scopeCheck}
        defaultChecked={scopes.includes('check')}
      />
      <Checkbox
        name="scopes"
        value="usage"
        label={TEXTS.scopeUsage}
        defaultChecked={scopes.includes('usage')}
      />
      <Checkbox name="scopes" value="jobs" label={TEXTS.scopeJobs} defaultChecked={scopes.includes('jobs')} />
    </>
  );
}
