import type { ScheduledTask } from '@verdict/metering/run-tasks.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { groupHours } from './group-hours.js';
import { watchBursts } from './watch-bursts.js';

const WATCH_EVERY_MS = 10_000;
const CATCH_UP_EVERY_MS = 600_000;
const CATCH_UP_TURN_MS = 120_000;
/** As far back as pages group by default, and some more. */
const CATCH_UP_DAYS = 31;

/** Groups checks and watches for bursts; what was missed while no worker ran is grouped too. */
export const createBurstTasks = (deps: Parameters<typeof watchBursts>[0], log: Logger): ScheduledTask[] => [
  {
    name: 'bursts',
    everyMs: WATCH_EVERY_MS,
    async run() {
      const { started, ended } = await watchBursts(deps);
      if (started + ended > 0) log.info({ started, ended }, 'bursts changed');
    },
  },
  {
    name: 'groups',
    everyMs: CATCH_UP_EVERY_MS,
    async run() {
      const accounts = await groupHours(deps, {
        days: CATCH_UP_DAYS,
        turnMs: CATCH_UP_TURN_MS,
        isGrown: true,
      });
      if (accounts.size > 0) log.info({ accounts: accounts.size }, 'hours grouped again');
    },
  },
];
