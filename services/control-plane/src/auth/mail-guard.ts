import { createHash } from 'node:crypto';
import { normalizeIP } from '@fastify/rate-limit';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { takeAttempt } from '@verdict/redis-store/login-attempts.js';
import { tooManyRequests } from '@verdict/service-kit/errors.js';

const HOUR_MS = 3_600_000;
/** Keeps Verdict from flooding a mailbox. */
const PER_ADDRESSEE = 5;

/** `invitedBy`: the account of an invitation. Invitations must not use up the links that their addressee asks for. */
export type MailGuard = (addressee: string, ip: string, invitedBy?: string) => Promise<void>;

/** Counts the mails that strangers can cause, by whom they would go to and by who asks. The same for any address. */
export const createMailGuard =
  (redis: RedisConnection, perClientMax: number): MailGuard =>
  async (addressee, ip, invitedBy) => {
    const buckets = [
      { name: `mail-from:${digest(normalizeIP(ip))}`, max: perClientMax },
      ...(invitedBy === undefined
        ? [{ name: `mail-to:${digest(addressee)}`, max: PER_ADDRESSEE }]
        : [
            { name: `invitations-from:${invitedBy}`, max: perClientMax },
            { name: `invitation-to:${digest(addressee)}`, max: PER_ADDRESSEE },
          ]),
    ];
    for (const { name, max } of buckets) {
      const waitMs = await takeAttempt(redis, name, max, HOUR_MS);
      if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / 1000));
    }
  };

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32);
