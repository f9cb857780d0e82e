import t from 'tap';
import { setUp } from './support/set-up.js';

const HOUR_MICROS = 3_600_000_000;
const setting = await setUp();
t.teardown(() => setting.close());

/** A note lives for minutes: a batch that may arrive after it is gone must not count, whatever it counted before. */
for (const [when, offMicros] of Object.entries({ late: -HOUR_MICROS, early: HOUR_MICROS })) {
  t.test(`a batch that arrives an hour too ${when} counts nothing`, async (t) => {
    const caller = await setting.account();
    setting.clock.set(Date.now() * 1000 + offMicros);
    t.match(String(await setting.stepWith(caller, setting.fresh('bat'))), /"undone":"stale"/);
    t.equal(await setting.counted(caller), 0);
    t.strictSame(await setting.queued(caller), []);
  });
}
