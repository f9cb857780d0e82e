import { createHash, randomInt } from 'node:crypto';
import type { Database } from '@verdict/db/database/client.js';
import { findSecondFactor, takeRecoveryCode, takeStep } from '@verdict/db/people/second-factors.js';
import { aboutSecondFactor, type Sealer } from '@verdict/domain/sealed-text.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { Secret, TOTP } from 'otpauth';
import type { LoginAttempt } from './login-guard.js';

const ISSUER = 'Verdict';
const PERIOD_SECONDS = 30;
/** One step before and one after: clocks of telephones differ. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** No letters that look alike; 16 of 32 are 80 bits, so a plain hash will do. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz023456789';

export interface Offer {
  readonly secret: string;
  readonly uri: string;
  readonly sealed: string;
}

/** Codes of authenticator apps (RFC 6238). Their secrets are kept sealed; without a key there are none. */
export function createSecondFactors(db: Database, sealer: Sealer | null, now: () => number = Date.now) {
  const totpOf = (secret: Secret, email = '') =>
    new TOTP({ issuer: ISSUER, label: email, secret, period: PERIOD_SECONDS, digits: 6, algorithm: 'SHA1' });

  return {
    available: sealer !== null,

    /** A secret for an app that is yet to show its first code. */
    offer(userId: string, email: string): Offer {
      if (!sealer) throw unavailable('second factor: there is no SECRETS_KEY');
      const totp = totpOf(new Secret({ size: 20 }), email);
      const secret = totp.secret.base32;
      return { secret, uri: totp.toString(), sealed: sealer.seal(secret, aboutSecondFactor(userId)) };
    },

    /** The time step that a code is of, or null when it is none of this moment. */
    stepOf(userId: string, sealed: string, otp: string): number | null {
      const secret = sealer?.open(sealed, aboutSecondFactor(userId)) ?? null;
      // Fails closed: a lost key never lets a user in without the second factor.
      if (secret === null) throw unavailable('second factor: no key of SECRETS_KEY opens it');
      const timestamp = now();
      const delta = totpOf(Secret.fromBase32(secret)).validate({
        token: otp.replace(/\s/g, ''),
        timestamp,
        window: WINDOW,
      });
      return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
    },

    /** Lets pass a user who has none, or shows it. A wrong one counts as a failed login, a missing one does not. */
    async check(
      userId: string,
      otp: string | undefined,
      attempt: LoginAttempt,
    ): Promise<'off' | 'shown' | 'missing' | 'wrong'> {
      const factor = await findSecondFactor(db, userId);
      if (!factor?.confirmed) return 'off';
      if (otp !== undefined) return (await this.take(userId, factor.sealed, otp)) ? 'shown' : 'wrong';
      await attempt.undone();
      return 'missing';
    },

    /** Uses a code up: neither a code nor a recovery code is good twice. */
    async take(userId: string, sealed: string, otp: string): Promise<boolean> {
      if (!/^\s*\d{3}\s?\d{3}\s*$/.test(otp)) return takeRecoveryCode(db, userId, hashRecoveryCode(otp));
      const step = this.stepOf(userId, sealed, otp);
      return step !== null && takeStep(db, userId, step);
    },
  };
}

export function newRecoveryCodes(): string[] {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: RECOVERY_CODES }, () => [group(), group(), group(), group()].join('-'));
}

/** Capitals, blanks and dashes do not matter. */
export const hashRecoveryCode = (code: string): string =>
  createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest('hex');
