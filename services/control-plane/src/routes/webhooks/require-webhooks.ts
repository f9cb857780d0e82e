import type { SecretBox } from '@verdict/domain/webhook-secret.js';
import { notSetUp } from '@verdict/service-kit/errors.js';

/** Without a key to keep secrets with there are no webhooks. */
export function requireWebhooks({ secrets }: { readonly secrets: SecretBox | null }): SecretBox {
  if (secrets === null)
    throw notSetUp('Webhooks are not set up here; the operator has to set WEBHOOK_SECRETS_KEY.');
  return secrets;
}
