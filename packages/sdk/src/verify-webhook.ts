/**
 * Standard Webhooks: HMAC-SHA-256 over `id.timestamp.body`, base64 in `webhook-signature: v1,…`, several of them while a
 * secret is being rolled. The body must be the bytes that arrived: parsing and printing JSON again changes them.
 */

export interface WebhookHeaders {
  get(name: string): string | null;
}

export interface VerifyWebhookOptions {
  /** How old, or how far ahead, a message may be; 300. */
  readonly toleranceSeconds?: number | undefined;
  readonly now?: (() => number) | undefined;
}

type HeadersOf = WebhookHeaders | Readonly<Record<string, string | readonly string[] | undefined>>;

const encoder = new TextEncoder();

/** True when the message is genuine and recent. Take `webhook-id` as seen once: deliveries can repeat. */
export async function verifyWebhook(
  secret: string,
  headers: HeadersOf,
  body: string | Uint8Array,
  { toleranceSeconds = 300, now = Date.now }: VerifyWebhookOptions = {},
): Promise<boolean> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError(
      'body must be the bytes or the text of the request, not parsed JSON; with Express use express.raw()',
    );
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now() / 1_000 - Number(timestamp)) > toleranceSeconds) return false;

  const secretBytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (secretBytes.length === 0) throw new TypeError('The secret is not one of the form whsec_…');
  const key = await crypto.subtle.importKey('raw', secretBytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  const head = encoder.encode(`${id}.${timestamp}.`);
  const content = typeof body === 'string' ? encoder.encode(body) : body;
  const signed = new Uint8Array(head.length + content.length);
  signed.set(head);
  signed.set(content, head.length);

  for (const entry of signatures.split(' ')) {
    const [version, signature] = entry.split(',', 2);
    if (version !== 'v1' || !signature) continue;
    // `verify` compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, fromBase64(signature), signed)) return true;
  }
  return false;
}

/** Names of a plain object in any case: some platforms keep the capitals of the sender. */
function headerOf(headers: HeadersOf, name: string): string | null {
  if (isHeaders(headers)) return headers.get(name);
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : (value?.[0] ?? null);
}

const isHeaders = (headers: HeadersOf): headers is WebhookHeaders => typeof headers.get === 'function';

/** An unreadable signature is simply not the right one. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
