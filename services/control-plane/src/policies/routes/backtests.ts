import { IdParamsSchema } from '@verdict/contracts/dashboard/common.js';
import {
  BacktestBodySchema,
  BacktestReplySchema,
  BacktestStartedReplySchema,
  NewestBacktestReplySchema,
  PolicyParamsSchema,
} from '@verdict/contracts/policy.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { momentFrom, momentTo } from '../../http/read-moment.js';
import { consideredBy } from '../../judging/considered-by.js';
import { readVersion } from '../read-version.js';
import { showBacktest } from '../show-backtest.js';

const DAYS_MAX = 366;
const DAY_MS = 86_400_000;

/** Judges stored checks again by a version. The worker does it, and these routes start it and show its result. */
export function backtestRoutes(app: ControlPlaneApp, { createId }: Dependencies): void {
  app.post(
    '/policies/:version/backtest/',
    {
      schema: {
        tags: ['policies'],
        summary: 'Judge stored checks by a version again',
        description: 'One runs at a time. Changes no check.',
        params: PolicyParamsSchema,
        body: BacktestBodySchema,
        response: {
          202: BacktestStartedReplySchema,
          ...errorReplies(400, 401, 404, 'backtest_running'),
        },
      },
    },
    async ({ caller: { account, userId }, params, body }, reply) => {
      const version = readVersion(params.version);
      if (!(await account.policies.rules(version))) throw nothingHere();
      const from = momentFrom('from', body.from);
      const to = momentTo('to', body.to);
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
      if (!(days > 0)) throw invalidField('to', 'must be after from');
      if (days > DAYS_MAX) throw invalidField('from', `must be at most ${DAYS_MAX} days before to`);
      const created = await account.backtests.create({
        id: createId('bkt'),
        version,
        from,
        to,
        createdBy: userId,
      });
      if (!created) throw backtestRunning();
      const { id, status } = created;
      return reply.code(202).send({ success: true, backtest: { id, status } });
    },
  );

  app.get(
    '/policies/:version/backtest/',
    {
      schema: {
        tags: ['policies'],
        summary: 'The newest backtest of a version',
        description: 'Null where it has none.',
        params: PolicyParamsSchema,
        response: { 200: NewestBacktestReplySchema, ...errorReplies(401, 404) },
      },
    },
    async ({ caller: { account }, params }) => {
      const version = readVersion(params.version);
      const rules = await account.policies.rules(version);
      if (!rules) throw nothingHere();
      const found = await account.backtests.newestOf(version);
      const considered = consideredBy(await account.settings.read());
      return { success: true as const, backtest: found ? showBacktest(found, rules, considered) : null };
    },
  );

  app.get(
    '/policies/backtests/:id/',
    {
      schema: {
        tags: ['policies'],
        summary: 'A backtest: its progress and what would change',
        description: 'Kept for 30 days, and the newest 50.',
        params: IdParamsSchema,
        response: { 200: BacktestReplySchema, ...errorReplies(401, 404) },
      },
    },
    async ({ caller: { account }, params }) => {
      const found = await account.backtests.find(ownId('bkt', params.id));
      if (!found) throw nothingHere();
      const rules = (await account.policies.rules(found.version)) ?? [];
      const considered = consideredBy(await account.settings.read());
      return { success: true as const, backtest: showBacktest(found, rules, considered) };
    },
  );
}

const backtestRunning = () =>
  new AppError(
    409,
    'backtest_running',
    'A backtest of your account is running. Start the next when it is done.',
  );
