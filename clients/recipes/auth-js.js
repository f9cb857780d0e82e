/**
 * Auth.js (NextAuth) 4 and 5: `callbacks: { signIn: verdictSignIn({ isKnown }) }`.
 *
 * The callback runs for every provider. For the e-mail provider it runs before the mail is sent (`email.verificationRequest`)
 * and again at the click, which is not checked a second time. It also runs when somebody with an account signs in, so the
 * application says whom it knows. The callback has no request, and therefore no IP.
 */
import { Verdict } from '@verdict/sdk';

// Reads VERDICT_API_KEY and VERDICT_URL.
const verdict = new Verdict({ fallback: 'allow' });

export const verdictSignIn =
  ({ isKnown, refuse = ['block'], errorPage = '/sign-up-refused' }) =>
  async ({ user, account, email }) => {
    const isClick = account?.type === 'email' && !email?.verificationRequest;
    if (!user.email || isClick || (await isKnown(user.email))) return true;
    const { decision, fallback } = await verdict.check(user.email);
    if (fallback) console.warn('Verdict could not be asked', fallback.code);
    // A path sends the person there; `false` would show the page of Auth.js with `error=AccessDenied`.
    return refuse.includes(decision) ? errorPage : true;
  };
