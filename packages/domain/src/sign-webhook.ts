import { createHmac } from 'node:crypto';
import { webhookSecretBytes } from './webhook-secret.js';

export interface WebhookMessage {
  /** The same for every attempt. */
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

/** Headers of Standard Webhooks: one signature for each secret that is good at the moment, the newest first. */
export function signWebhook(
  secrets: readonly string[],
  { id, timestampSeconds, body }: WebhookMessage,
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', webhookSecretBytes(secret)).update(`${id}.${timestampSeconds}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
