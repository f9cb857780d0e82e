import { Checkbox, TextInput } from '@mantine/core';
import { DEFAULT_SCOPES, KEY_SCOPES, type KeyScope } from '@verdict/domain/key-words.js';
import type { ApiKey } from '../../api/keys.ts';
import { fieldError } from '../../ui/error/field-error.ts';
import { SCOPE_TEXTS } from './texts.ts';

/** The API fields that show errors at their inputs. */
export const LIMIT_FIELDS = ['expires_at', 'monthly_quota', 'allowed_ips'] as const;

/** The limits of a key; every field may stay empty. limitsOf reads them. */
export function KeyLimitsFields({ of, metered, error }: { of?: ApiKey; metered: boolean; error: unknown }) {
  const scopes: readonly KeyScope[] = of?.scopes ?? DEFAULT_SCOPES;
  return (
    <>
      <TextInput
        label="Expires after (UTC)"
        description="Leave empty for no expiry."
        type="date"
        name="expires_on"
        error={fieldError(error, 'expires_at', 'Expires after (UTC)')}
        defaultValue={of?.expires_at?.slice(0, 10) ?? ''}
      />
      {metered && (
        <TextInput
          label="Checks a month"
          description="Leave empty to use the account’s quota."
          type="number"
          min={1}
          name="monthly_quota"
          error={fieldError(error, 'monthly_quota', 'Checks a month')}
          defaultValue={of?.monthly_quota ?? ''}
        />
      )}
      <TextInput
        label="Allowed IPs"
        description="Addresses or networks such as 203.0.113.0/24. Leave empty to allow any."
        name="allowed_ips"
        error={fieldError(error, 'allowed_ips', 'Allowed IPs')}
        autoComplete="off"
        defaultValue={of?.allowed_ips.join(', ') ?? ''}
      />
      {(metered ? KEY_SCOPES : DEFAULT_SCOPES).map((scope) => (
        <Checkbox
          key={scope}
          name="scopes"
          value={scope}
          label={SCOPE_TEXTS[scope]}
          defaultChecked={scopes.includes(scope)}
        />
      ))}
    </>
  );
}
