import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';

/** Whether a login needs a code. Once asked for, the field stays: a wrong code is followed by another one. */
export function useAsksForCode(error: Error | null): { asksForCode: boolean; isFirstAsk: boolean } {
  const code = error instanceof ApiError ? error.code : '';
  const [asksForCode, setAsksForCode] = useState(false);
  useEffect(() => {
    if (code.startsWith('second_factor')) setAsksForCode(true);
  }, [code]);
  return { asksForCode, isFirstAsk: code === 'second_factor_required' };
}

export const CodeField = () => (
  <TextInput
    label="Code"
    description="Six digits from your authenticator app, or a recovery code."
    name="otp"
    autoComplete="one-time-code"
    required
    autoFocus
  />
);
