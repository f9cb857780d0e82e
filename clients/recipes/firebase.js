/**
 * Firebase Authentication with Identity Platform: blocking functions, 2nd generation. They have 7 seconds.
 *
 * `beforeUserCreated` covers every provider. A sign-in link is mailed before the user exists, so `beforeEmailSent` checks its
 * address first; without that function the mail has already gone out when the refusal comes.
 */
import { Verdict } from '@verdict/sdk';
import { beforeEmailSent, beforeUserCreated, HttpsError } from 'firebase-functions/v2/identity';

// Reads VERDICT_API_KEY and VERDICT_URL.
const verdict = new Verdict({ fallback: 'allow', deadlineMs: 4_000 });
const MESSAGE = 'This address cannot be used to sign up. Please use another one.';

async function refuseBlocked(email, ip, eventId) {
  const { decision, fallback } = await verdict.check({ email, ip }, { idempotencyKey: eventId });
  if (fallback) console.warn('Verdict could not be asked', fallback.code);
  if (decision === 'block') throw new HttpsError('permission-denied', MESSAGE);
}

export const verdictBeforeCreate = beforeUserCreated(async ({ data, ipAddress, eventId }) => {
  if (data.email) await refuseBlocked(data.email, ipAddress, eventId);
});

export const verdictBeforeMail = beforeEmailSent(
  async ({ emailType, additionalUserInfo, ipAddress, eventId }) => {
    if (emailType === 'EMAIL_SIGN_IN' && additionalUserInfo?.email)
      await refuseBlocked(additionalUserInfo.email, ipAddress, eventId);
  },
);
