import { Menu } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { ACCOUNT_PAGES, mayOpen, placeOf, sectionsFor } from '@verdict/contracts/pages.js';
import { lazy, Suspense, useEffect, useState } from 'react';
import { type Me, meQuery } from '../api/account.ts';
import { session } from '../api/session.ts';
import { IconLogout, IconMenu2, IconServer2, IconSettings2, IconX } from '../icons.tsx';
import { Tabs } from '../ui/page/Tabs.tsx';
import { AccountItems } from './AccountItems.tsx';
import { ColorSchemeItems } from './ColorSchemeItems.tsx';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { NoRight } from './NoRight.tsx';
import { QuotaBanner } from './QuotaBanner.tsx';
import classes from './Shell.module.css';
import { SECTION_ICONS } from './section-icons.ts';
import { Wordmark } from './Wordmark.tsx';

/** Navigation at the left (a bar on a phone) and the page beside it. */
export function Shell() {
  const [open, setOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const place = placeOf(path);
  useEffect(() => setOpen(false), [path]);
  usePagesAhead();
  const [seeking, setSeeking] = useState(false);
  const { data: me } = useQuery(meQuery);
  const role = me?.account.role ?? 'owner';
  const sections = sectionsFor(role);
  const tabs = sections.find(({ label }) => label === place?.section.label)?.tabs ?? [];
  useHotkeys([['/', focusSearch]]);
  // Also inside an input: the palette is a way out of a form.
  useHotkeys([['mod+K', () => setSeeking(true)]], []);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <header className={classes.side} data-open={open || undefined}>
        <div className={classes.brand}>
          <Link to="/" className={classes.home} aria-label="Verdict, overview">
            <Wordmark />
          </Link>
          <button
            type="button"
            className={classes.burger}
            aria-expanded={open}
            aria-controls="navigation"
            onClick={() => setOpen(!open)}
          >
            {open ? <IconX size={18} /> : <IconMenu2 size={18} />}
            {open ? 'Close' : 'Menu'}
          </button>
        </div>
        <div id="navigation" className={classes.fold}>
          <button type="button" className={classes.seek} onClick={() => setSeeking(true)}>
            Search or jump to <kbd>{SHORTCUT}</kbd>
          </button>
          <nav aria-label="Main">
            <ul className={classes.links}>
              {sections.map(({ label, to }) => {
                const Icon = SECTION_ICONS[label];
                return (
                  <li key={label}>
                    <Link
                      to={to}
                      className={classes.link}
                      {...(label === place?.section.label ? { 'aria-current': 'page' } : {})}
                    >
                      <Icon size={17} stroke={1.6} />
                      {label}
                    </Link>
                  </li>
                );
              })}
            </ul>
            <OperatorLink />
          </nav>
          <UserMenu />
        </div>
      </header>
      {seeking && (
        <Suspense fallback={null}>
          <CommandPalette onClose={() => setSeeking(false)} />
        </Suspense>
      )}
      <main id="content" className={classes.main} tabIndex={-1}>
        <ConnectionBanner />
        <QuotaBanner />
        {place && tabs.length > 1 && <Tabs label={place.section.label} tabs={tabs} current={place.tab.to} />}
        {place && !mayOpen(role, place.tab.to) ? <NoRight isFront={path === '/'} role={role} /> : <Outlet />}
      </main>
    </div>
  );
}

const CommandPalette = lazy(() => import('./CommandPalette.tsx'));

const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

const focusSearch = (): void => document.querySelector<HTMLElement>('main input[type="search"]')?.focus();

const AHEAD_AFTER_MS = 1500;

/** Loads the other pages while the browser is idle, so that they open without waiting and while the server is away. */
function usePagesAhead() {
  const router = useRouter();
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const { to } of ACCOUNT_PAGES)
        void Promise.resolve(router.loadRouteChunk(router.routesByPath[to])).catch(() => null);
    }, AHEAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [router]);
}

/** Only for operators; the API keeps everybody else out. */
function OperatorLink() {
  const { data } = useQuery(meQuery);
  if (!data?.user.operator) return null;
  return (
    <ul className={classes.links}>
      <li>
        <Link to="/operator" className={classes.link} activeProps={{ 'aria-current': 'page' }}>
          <IconServer2 size={17} stroke={1.6} />
          Operator
        </Link>
      </li>
    </ul>
  );
}

/** Names the account for users of several, and for members of one that they do not own. */
const accountLine = ({ account, accounts }: Me): string =>
  accounts.length > 1 || account.role !== 'owner'
    ? `${account.name} · ${account.role}`
    : `${account.plan} plan`;

function UserMenu() {
  const { data } = useQuery(meQuery);
  return (
    <div className={classes.user}>
      <Menu position="top-start" width={240}>
        <Menu.Target>
          <button type="button" className={classes.userButton}>
            <span>{data?.user.name ?? data?.user.email ?? ' '}</span>
            <small>{data ? accountLine(data) : ' '}</small>
            <span className="v-offscreen">You and your settings</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {data && <AccountItems me={data} />}
          <ColorSchemeItems />
          <Menu.Divider />
          <Menu.Item component={Link} to="/settings/account" leftSection={<IconSettings2 size={15} />}>
            Account settings
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void session.logOut()}>
            Log out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
