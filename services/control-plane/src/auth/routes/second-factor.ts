import { AUTH_ROUTES } from '@verdict/contracts/routes/auth-routes.js';
import {
  confirmSecondFactor,
  findSecondFactor,
  offerSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '@verdict/db/people/second-factors.js';
import { attach } from '@verdict/service-kit/attach.js';
import { conflict, invalidField } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
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

  attach(app, AUTH_ROUTES.secondFactor, async (request) => {
    const factor = await findSecondFactor(db, request.caller.userId);
    const enabled = factor?.confirmed ?? false;
    return {
      success: true,
      available: secondFactors.available,
      enabled,
      recovery_codes_left: enabled ? (factor?.codes_left ?? 0) : 0,
    };
  });

  attach(app, AUTH_ROUTES.offerSecondFactor, async (request, reply) => {
    const { email } = await confirmIdentity(deps, request, reply, request.body);
    const { userId } = request.caller;
    const { secret, uri, sealed } = secondFactors.offer(userId, email);
    if (!(await offerSecondFactor(db, userId, sealed))) throw isOn();
    return { success: true, secret, uri };
  });

  attach(app, AUTH_ROUTES.confirmSecondFactor, async (request) => {
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
    return { success: true, recovery_codes };
  });

  attach(app, AUTH_ROUTES.newRecoveryCodes, async (request, reply) => {
    await confirmIdentity(deps, request, reply, request.body);
    const { userId } = request.caller;
    if (!(await findSecondFactor(db, userId))?.confirmed) throw isOff();
    const recovery_codes = newRecoveryCodes();
    const audit = auditOf(createId, request, { action: 'user.recovery_codes_made', target: userId });
    await replaceRecoveryCodes(db, ownerOf(request), recovery_codes.map(hashRecoveryCode), audit);
    return { success: true, recovery_codes };
  });

  attach(app, AUTH_ROUTES.removeSecondFactor, async (request, reply) => {
    await confirmIdentity(deps, request, reply, request.body);
    const { userId } = request.caller;
    const audit = auditOf(createId, request, {
      action: 'user.second_factor_off',
      target: userId,
      ...(await mails.notice(request, userId, { kind: 'second_factor_changed', on: false })),
    });
    if (!(await removeSecondFactor(db, ownerOf(request), audit))) throw isOff();
    return { success: true };
  });
}
