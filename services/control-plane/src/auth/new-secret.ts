import { randomFillSync } from 'node:crypto';
import type { NewSecret } from '@verdict/db/api-keys.js';
import { apiKeyHints, createApiKey, hashApiKey } from '@verdict/domain/api-key.js';

/** A fresh API key: the value for its owner, and what we keep of it. */
export const newSecret = (): NewSecret & { value: string } => storedForm(createApiKey(randomFillSync));

export const storedForm = (value: string): NewSecret & { value: string } => ({
  value,
  secretHash: hashApiKey(value),
  ...apiKeyHints(value),
});
