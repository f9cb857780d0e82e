import t from 'tap';
import { ACCOUNT_PAGES, isPage, movedTo, placeOf } from '../src/pages.js';

t.test(
  'an address of an earlier release leads to its page of today, with the rest of its path',
  async (t) => {
    t.equal(movedTo('/logs'), '/checks');
    t.equal(movedTo('/logs/log_01'), '/checks/log_01');
    t.equal(movedTo('/hooks/hook_01/'), '/developers/hooks/hook_01');
    t.equal(movedTo('/account/'), '/settings/account');
    for (const path of ['/', '/billing', '/billing/statements/2026-10', '/logsheet', '/nowhere'])
      t.equal(movedTo(path), null, path);
    t.ok(isPage('/logs'), 'the server answers it with the application');
  },
);

t.test(
  'every page belongs to one entry of the navigation, details to the tab that they open from',
  async (t) => {
    for (const { to, label } of ACCOUNT_PAGES) {
      t.ok(placeOf(to), label);
      t.equal(movedTo(to), null, `${to} is where it is`);
    }
    const tabOf = (path: string) => placeOf(path)?.tab.to;
    t.equal(tabOf('/checks/log_01'), '/checks');
    t.equal(tabOf('/checks/refused'), '/checks/refused');
    t.equal(tabOf('/billing/statements/2026-10'), '/billing');
    t.equal(tabOf('/billing/usage'), '/billing/usage');
    t.equal(tabOf('/bulk/job_01'), '/bulk');
    t.equal(tabOf('/operator/accounts'), undefined);
    t.equal(tabOf('/bulkhead'), undefined);
  },
);
