import type { Sealer } from '@verdict/domain/sealed-text.js';
import { notSetUp } from '@verdict/service-kit/errors.js';

/** Without a key to keep secrets with there are no webhooks. */
export function requireWebhooks({ sealer }: { readonly sealer: Sealer | null }): Sealer {
  if (sealer === null) throw notSetUp('Webhooks are not available: the server has no SECRETS_KEY.');
  return sealer;
}
