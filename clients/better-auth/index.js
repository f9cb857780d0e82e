import { APIError, createAuthMiddleware } from 'better-auth/api';

/** What people read. One sentence for every reason: a reason would tell attackers what to change. */
const MESSAGE = 'This address cannot be used to sign up. Please use another one.';
/** The `error` in the URL of an OAuth refusal, where better-auth puts the message of the error. */
const REFUSED = 'sign_up_refused';

/** Endpoints that mail a link or a code to an address which may have no account yet. */
const MAILING = new Set(['/sign-in/magic-link', '/email-otp/send-verification-otp']);
/** Endpoints that create the user of such a mail: its address was checked before the mail was sent. */
const AFTER_MAIL = new Set(['/magic-link/verify', '/sign-in/email-otp']);

/**
 * A plugin for better-auth that asks Verdict before a user is created and before a first magic link is mailed.
 *
 * @param {import('./index.d.ts').VerdictOptions} options
 * @returns {import('better-auth').BetterAuthPlugin}
 */
export function verdict(options) {
  const { client, refuse = ['block'], message = MESSAGE, errorPage, ip = lastHop, onOutcome } = options;
  const onChallenge = options.onChallenge ?? (() => ({ emailVerified: false }));

  /** The outcome for an address; throws where it is refused. */
  async function ask(email, ctx) {
    const headers = ctx?.headers ?? ctx?.request?.headers;
    const outcome = await client.check({ email, ip: (headers && ip(headers)) || null }).catch((error) => {
      // Verdict cannot parse the address, so nobody could mail it either.
      if (error.status === 400) return null;
      throw error;
    });
    if (outcome) await onOutcome?.(outcome, email);
    if (outcome && !refuse.includes(outcome.decision)) return outcome;
    // An OAuth refusal becomes part of a URL, so it says a code that the page translates.
    const isCallback = /^\/(oauth2\/)?callback\//.test(ctx?.path ?? '');
    throw new APIError('FORBIDDEN', { message: isCallback ? REFUSED : message, code: 'SIGN_UP_REFUSED' });
  }

  return {
    id: 'verdict',
    init: () => ({
      options: {
        ...(errorPage && { onAPIError: { errorURL: errorPage } }),
        databaseHooks: {
          user: {
            create: {
              /** Password, OAuth and everything else that makes a user. */
              before: async (user, ctx) => {
                if (AFTER_MAIL.has(ctx?.path ?? '')) return undefined;
                const outcome = await ask(user.email, ctx);
                if (outcome.decision === 'allow') return undefined;
                return { data: { ...user, ...(await onChallenge(outcome, user)) } };
              },
            },
          },
        },
      },
    }),
    hooks: {
      before: [
        {
          matcher: ({ path, body }) => MAILING.has(path) && (body?.type ?? 'sign-in') === 'sign-in',
          handler: createAuthMiddleware(async (ctx) => {
            const email = String(ctx.body?.email ?? '').toLowerCase();
            // Somebody who has an account signs in: no check, no charge.
            const known = email && (await ctx.context.internalAdapter.findUserByEmail(email));
            if (email && !known) await ask(email, ctx);
          }),
        },
      ],
    },
  };
}

/** The hop that the last proxy saw. The first entry of the header is what the visitor wrote. */
function lastHop(headers) {
  return headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();
}
