import { PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Proof } from '../../api/account.ts';
import { PROOF_TEXTS as TEXTS } from './texts.ts';

/** The fields that ask who somebody is once more, and what they hold. */
export function useProof(secondFactor: boolean) {
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
        label={TEXTS.password}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        required
        withAsterisk={false}
      />
      {secondFactor && (
        <TextInput
          label={TEXTS.code}
          description={TEXTS.codeHint}
          autoComplete="one-time-code"
          value={otp}
          onChange={(event) => setOtp(event.currentTarget.value)}
          required
          withAsterisk={false}
        />
      )}
    </>
  );
  return { proof, fields, clear };
}
