import { randomFillSync } from 'node:crypto';
import type { NewSecret } from '@verdict/db/keys/api-keys.js';
import { apiKeyHints, createApiKey, hashApiKey } from '@verdict/domain/api-key.js';
import type { KeyMode } from '@verdict/domain/key-words.js';

/** A fresh API key: the value for its owner, and what we keep of it. */
export const newSecret = (mode: KeyMode = 'live'): NewSecret & { value: string } =>
  storedForm(createApiKey(randomFillSync, mode));

export const storedForm = (value: string): NewSecret & { value: string } => ({
  value,
  secretHash: hashApiKey(value),
  ...apiKeyHints(value),
});
