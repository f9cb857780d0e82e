import { PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Proof } from '../../api/account.ts';
import { fieldError } from '../../ui/error/field-error.ts';
import { PROOF_TEXTS as TEXTS } from './texts.ts';

/** The API fields that the form shows errors of. */
export const PROOF_FIELDS = ['current_password', 'otp'] as const;

/** The fields that ask for the password and the code again, and what they hold. */
export function useProof(secondFactor: boolean, error?: unknown, label: string = TEXTS.password) {
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const proof: Proof = { current_password: password, ...(otp.trim() ? { otp: otp.trim() } : {}) };
  const clear = () => {
    setPassword('');
    setOtp('');
  };
  const fields = (
    <>
      <PasswordInput
        label={label}
        autoComplete="current-password"
        error={fieldError(error, 'current_password', label)}
        data-autofocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        required
      />
      {secondFactor && (
        <TextInput
          label={TEXTS.code}
          description={TEXTS.codeHint}
          autoComplete="one-time-code"
          error={fieldError(error, 'otp', TEXTS.code)}
          value={otp}
          onChange={(event) => setOtp(event.currentTarget.value)}
          required
        />
      )}
    </>
  );
  return { proof, fields, clear };
}
