import {
  ConfirmedBodySchema,
  ConfirmSecondFactorBodySchema,
  RecoveryCodesReplySchema,
  SecondFactorOfferReplySchema,
  SecondFactorReplySchema,
} from '@verdict/contracts/dashboard/auth-api.js';
import { DoneSchema } from '@verdict/contracts/dashboard/common.js';
import {
  confirmSecondFactor,
  findSecondFactor,
  offerSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '@verdict/db/people/second-factors.js';
import { conflict, invalidField } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { confirmIdentity } from '../confirm-password.js';
import { hashRecoveryCode, newRecoveryCodes } from '../second-factors.js';

const isOn = () =>
  conflict('second_factor_on', 'Two-factor authentication is already on. Turn it off first.');
const isOff = () => conflict('second_factor_off', 'Two-factor authentication is off.');

/** An authenticator app beside the password: offered, confirmed by its first code, and turned off with another. */
export function secondFactorRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId, secondFactors, mails } = deps;
  const ownerOf = (request: FastifyRequest) => ({
    userId: request.caller.userId,
    accountId: request.caller.account.id,
    sessionId: request.caller.sessionId,
  });

  app.get(
    '/auth/second_factor/',
    {
      schema: {
        tags: ['auth'],
        summary: 'Whether a login asks for a second factor',
        description: 'Also counts the recovery codes that are left.',
        response: { 200: SecondFactorReplySchema, ...errorReplies(401) },
      },
    },
    async (request) => {
      const factor = await findSecondFactor(db, request.caller.userId);
      const enabled = factor?.confirmed ?? false;
      return {
        success: true as const,
        available: secondFactors.available,
        enabled,
        recovery_codes_left: enabled ? (factor?.codes_left ?? 0) : 0,
      };
    },
  );

  app.post(
    '/auth/second_factor/',
    {
      schema: {
        tags: ['auth'],
        summary: 'Get a secret for an authenticator app; it counts once its first code was shown',
        description: 'Show `uri` as a QR code. The second factor is off until you confirm it.',
        body: ConfirmedBodySchema,
        response: {
          200: SecondFactorOfferReplySchema,
          ...errorReplies(400, 401, 'second_factor_on', 'login_locked'),
        },
      },
    },
    async (request) => {
      const { email } = await confirmIdentity(deps, request, request.body);
      const { userId } = request.caller;
      const { secret, uri, sealed } = secondFactors.offer(userId, email);
      if (!(await offerSecondFactor(db, userId, sealed))) throw isOn();
      return { success: true as const, secret, uri };
    },
  );

  app.post(
    '/auth/second_factor/confirm/',
    {
      schema: {
        tags: ['auth'],
        summary: 'Turn the second factor on with the first code of the app',
        description: 'Returns the recovery codes, which are shown once. Ends every other login.',
        body: ConfirmSecondFactorBodySchema,
        response: {
          200: RecoveryCodesReplySchema,
          ...errorReplies(400, 401, 'second_factor_on', 'second_factor_off'),
        },
      },
    },
    async (request) => {
      const { userId } = request.caller;
      const factor = await findSecondFactor(db, userId);
      if (!factor) throw isOff();
      if (factor.confirmed) throw isOn();
      const step = secondFactors.stepOf(userId, factor.sealed, request.body.otp);
      if (step === null)
        throw invalidField('otp', 'is wrong. Check the clock of your device and try the next code');
      const recovery_codes = newRecoveryCodes();
      const audit = auditOf(createId, request, {
        action: 'user.second_factor_on',
        target: userId,
        ...(await mails.notice(request, userId, { kind: 'second_factor_changed', on: true })),
      });
      const confirmation = { sealed: factor.sealed, step, codeHashes: recovery_codes.map(hashRecoveryCode) };
      if (!(await confirmSecondFactor(db, ownerOf(request), confirmation, audit))) throw isOn();
      return { success: true as const, recovery_codes };
    },
  );

  app.post(
    '/auth/second_factor/recovery_codes/',
    {
      schema: {
        tags: ['auth'],
        summary: 'Get new recovery codes; the earlier ones end',
        description: 'Asks for the password and a code. The codes are shown once.',
        body: ConfirmedBodySchema,
        response: {
          200: RecoveryCodesReplySchema,
          ...errorReplies(400, 401, 'second_factor_off', 'login_locked'),
        },
      },
    },
    async (request) => {
      await confirmIdentity(deps, request, request.body);
      const { userId } = request.caller;
      if (!(await findSecondFactor(db, userId))?.confirmed) throw isOff();
      const recovery_codes = newRecoveryCodes();
      const audit = auditOf(createId, request, { action: 'user.recovery_codes_made', target: userId });
      await replaceRecoveryCodes(db, ownerOf(request), recovery_codes.map(hashRecoveryCode), audit);
      return { success: true as const, recovery_codes };
    },
  );

  app.delete(
    '/auth/second_factor/',
    {
      schema: {
        tags: ['auth'],
        summary: 'Turn the second factor off',
        description: 'Asks for the password and a code. Ends every other login.',
        body: ConfirmedBodySchema,
        response: { 200: DoneSchema, ...errorReplies(400, 401, 'second_factor_off', 'login_locked') },
      },
    },
    async (request) => {
      await confirmIdentity(deps, request, request.body);
      const { userId } = request.caller;
      const audit = auditOf(createId, request, {
        action: 'user.second_factor_off',
        target: userId,
        ...(await mails.notice(request, userId, { kind: 'second_factor_changed', on: false })),
      });
      if (!(await removeSecondFactor(db, ownerOf(request), audit))) throw isOff();
      return { success: true as const };
    },
  );
}
