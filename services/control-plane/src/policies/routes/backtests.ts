import { POLICY_ROUTES } from '@verdict/contracts/routes/policy-routes.js';
import { addMonths } from '@verdict/domain/month.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { momentFrom, momentTo } from '../../http/read-moment.js';
import { readVersion } from '../read-version.js';
import { showBacktest } from '../show-backtest.js';

const DAYS_MAX = 366;
const DAY_MS = 86_400_000;

/** Judges stored checks again by a version. The worker does it, and these routes start it and show its result. */
export function backtestRoutes(app: ControlPlaneApp, { createId }: Dependencies): void {
  attach(
    app,
    POLICY_ROUTES.startBacktest,
    async ({ keyCaller: { account, userId }, params, body }, reply) => {
      const version = readVersion(params.version);
      if (!(await account.policies.rules(version))) throw nothingHere();
      const from = momentFrom('from', body.from);
      const to = momentTo('to', body.to);
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
      if (!(days > 0)) throw invalidField('to', 'must be after from');
      if (days > DAYS_MAX) throw invalidField('from', `must be at most ${DAYS_MAX} days before to`);
      const archived = await account.backtests.archivedMonth(from, to);
      if (archived) {
        const first = `${addMonths(archived, 1)}-01`;
        throw invalidField('from', `must be ${first} or later: earlier checks are archived`);
      }
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

  attach(app, POLICY_ROUTES.newestBacktest, async ({ keyCaller: { account }, params }) => {
    const version = readVersion(params.version);
    const rules = await account.policies.rules(version);
    if (!rules) throw nothingHere();
    const found = await account.backtests.newestOf(version);
    return { success: true, backtest: found ? showBacktest(found, rules) : null };
  });

  attach(app, POLICY_ROUTES.backtest, async ({ keyCaller: { account }, params }) => {
    const found = await account.backtests.find(ownId('bkt', params.id));
    if (!found) throw nothingHere();
    const rules = (await account.policies.rules(found.version)) ?? [];
    return { success: true, backtest: showBacktest(found, rules) };
  });
}

const backtestRunning = () =>
  new AppError(
    409,
    'backtest_running',
    'A backtest of your account is running. Start the next when it is done.',
  );
