import { normalizeIP } from '@fastify/rate-limit';
import type { HookDeliveryView } from '@verdict/contracts/dashboard/hooks-api.js';
import type { HookKind } from '@verdict/contracts/hook-kinds.js';
import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import type { HookProvider, Payload } from '@verdict/domain/hooks/hook-provider.js';
import { HOOK_PROVIDERS } from '@verdict/domain/hooks/hook-providers.js';
import { maskedPayload } from '@verdict/domain/hooks/masked-payload.js';
import { noteHookDelivery } from '@verdict/redis-store/hook-deliveries.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidRequest, signatureInvalid } from '@verdict/service-kit/errors.js';
import type { FastifyReply } from 'fastify';
import { startStages } from '../answers/stages.js';
import type { CountFailure } from '../auth/failed-auth-limit.js';
import type { Dependencies } from '../dependencies.js';
import type { GatewayApp } from '../gateway-app.js';
import { checkSignUp } from '../hooks/check-sign-up.js';
import { reportRun } from './report-run.js';

const PROVIDERS: Readonly<Record<HookKind, HookProvider>> = HOOK_PROVIDERS;

/** POST /hooks/{id}/: called by an auth provider. */
export async function receiveHookRoute(
  app: GatewayApp,
  deps: Dependencies,
  countFailure: CountFailure,
): Promise<void> {
  const { hooks, log, metrics, redis, config } = deps;
  await app.register(async (scope) => {
    // Signatures cover the bytes, so nothing may parse them before.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

    attach(scope, VALIDATION_ROUTES.receiveHook, async (request, reply) => {
      const startedMs = performance.now();
      const nowMs = Date.now();
      const body = String(request.body ?? '');
      const sent = { headers: request.headers, body };
      const hook = await hooks.find(request.params.id, normalizeIP(request.ip));
      const provider = hook && PROVIDERS[hook.kind as HookKind];
      if (!hook || !provider?.isSigned(sent, hook.secret, nowMs)) {
        const why = hook ? 'signature' : 'unknown hook';
        throw await countFailure(request, signatureInvalid({ hookId: hook?.id, why }));
      }
      request.credentials = {
        key: { accountId: hook.accountId, keyId: hook.keyId, credential: hook.keyId },
        token: null,
      };
      const payload = readPayload(body);
      const signUp = provider.read(payload, sent);
      const elapsedMs = () => Math.round(performance.now() - startedMs);
      const stages = startStages(1);
      request.stages = stages;
      const checked = await checkSignUp(deps, hook, signUp, {
        requestId: request.id,
        stages,
        leftMs: config.HOOK_ANSWER_MS - elapsedMs(),
      });
      const { outcome, refused, run, result, error } = checked;
      metrics.hooks.inc({ kind: hook.kind, outcome });
      if (run) reportRun(deps, reply, run);
      if (error !== null) {
        const { id: hookId, accountId, keyId, onError } = hook;
        log.warn(
          { hookId, accountId, keyId, outcome, onError, requestId: request.id, err: error },
          'a sign-up hook answered without a verdict',
        );
      }
      const verdict = {
        refused,
        message: hook.message,
        decision: result?.decision ?? null,
        logId: result?.id ?? null,
      };
      const answer = provider.answer(verdict, { payload, secret: hook.secret, nowMs });
      if (!hook.isRedisAway) {
        const delivery: HookDeliveryView = {
          id: request.id,
          at: new Date(nowMs).toISOString(),
          event_id: signUp.eventId.slice(0, 128),
          outcome,
          decision: verdict.decision,
          log_id: verdict.logId,
          replayed: run?.replayed ?? false,
          duration_ms: elapsedMs(),
          payload: maskedPayload(payload, provider.shownFields),
          status: answer.status,
          answer: withoutSignature(answer.body),
        };
        // After the answer, and for reading only: a delivery that is lost costs no sign-up.
        noteHookDelivery({ redis, shards: config.REDIS_SHARDS }, hook.accountId, hook.id, delivery).catch(
          (err) => log.warn({ hookId: hook.id, err }, 'hook delivery not noted'),
        );
      }
      // As text: the body is the provider's, so no serializer of ours may shape it.
      return sendJson(reply, answer.status, JSON.stringify(answer.body));
    });
  });
}

const sendJson = async (reply: FastifyReply, status: number, text: string): Promise<FastifyReply> =>
  reply.code(status).type('application/json; charset=utf-8').send(text);

function readPayload(body: string): Payload {
  try {
    const payload: unknown = JSON.parse(body);
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload as Payload;
  } catch {
    // Said below.
  }
  throw invalidRequest('The request body must be a JSON object.');
}

/** A signature in a delivery would let its reader answer in our name while it is recent. */
const withoutSignature = ({ signature: _, ...body }: Readonly<Record<string, unknown>>): object => body;
