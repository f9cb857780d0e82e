import { Checkbox, TextInput } from '@mantine/core';
import type { ApiKey } from '../../api/keys.ts';
import { LIMITS_TEXTS as TEXTS } from './texts.ts';

/** The limits of a key; every field may stay empty. limitsOf reads them. */
export function KeyLimitsFields({ of, metered }: { of?: ApiKey; metered: boolean }) {
  const scopes = of?.scopes ?? ['check', 'usage'];
  return (
    <>
      <TextInput
        label={TEXTS.expires}
        description={TEXTS.expiresHint}
        type="date"
        name="expires_on"
        defaultValue={of?.expires_at?.slice(0, 10) ?? ''}
      />
      {metered && (
        <TextInput
          label={TEXTS.quota}
          description={TEXTS.quotaHint}
          type="number"
          min={1}
          name="monthly_quota"
          defaultValue={of?.monthly_quota ?? ''}
        />
      )}
      <TextInput
        label={TEXTS.allowed}
        description={TEXTS.allowedHint}
        name="allowed_ips"
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
    </>
  );
}
