import { PasswordInput, TextInput } from '@mantine/core';
import type { Proof } from '../../api/account.ts';
import { fieldError } from '../../ui/error/field-error.ts';

/** The API fields that the form shows errors of. */
export const PROOF_FIELDS = ['current_password', 'otp'] as const;

/** Asks for the password and the code again; proofOf reads them. */
export function ProofFields({
  secondFactor,
  error,
  label = 'Password',
}: {
  secondFactor: boolean;
  error: unknown;
  label?: string;
}) {
  return (
    <>
      <PasswordInput
        label={label}
        name="current_password"
        autoComplete="current-password"
        error={fieldError(error, 'current_password', label)}
        data-autofocus
        required
      />
      {secondFactor && (
        <TextInput
          label="Code"
          description="Six digits from your authenticator app, or a recovery code."
          name="otp"
          autoComplete="one-time-code"
          error={fieldError(error, 'otp', 'Code')}
          required
        />
      )}
    </>
  );
}

export function proofOf(form: FormData): Proof {
  const otp = String(form.get('otp') ?? '').trim();
  return { current_password: String(form.get('current_password')), ...(otp && { otp }) };
}
