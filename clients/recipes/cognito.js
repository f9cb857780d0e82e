/**
 * Amazon Cognito: Lambda for the pre sign-up trigger, which has 5 seconds and runs before the user is created.
 *
 * It covers self sign-up and the first sign-in through a social or SAML provider. Users that an administrator creates pass. The
 * event has no IP: send it as `clientMetadata.ip` with SignUp from your own server. Cognito shows people
 * "PreSignUp failed with error" and the message.
 */
import { Verdict } from '@verdict/sdk';

// Reads VERDICT_API_KEY and VERDICT_URL.
const verdict = new Verdict({ fallback: 'allow', deadlineMs: 3_000 });
const CHECKED = ['PreSignUp_SignUp', 'PreSignUp_ExternalProvider'];

export const handler = async (event) => {
  const { userAttributes, clientMetadata } = event.request;
  if (!CHECKED.includes(event.triggerSource) || !userAttributes.email) return event;
  const { decision, fallback } = await verdict.check({
    email: userAttributes.email,
    ip: clientMetadata?.ip ?? null,
  });
  if (fallback) console.warn('Verdict could not be asked', fallback.code);
  if (decision === 'block')
    throw new Error('This address cannot be used to sign up. Please use another one.');
  return event;
};
