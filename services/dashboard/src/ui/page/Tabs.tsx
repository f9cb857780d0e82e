import { Link } from '@tanstack/react-router';
import type { ACCOUNT_PAGES, OPERATOR_PAGES } from '@verdict/contracts/pages.js';
import classes from './Tabs.module.css';

type Tab = (typeof ACCOUNT_PAGES | typeof OPERATOR_PAGES)[number];

/** Links to the pages beside this one. */
export const Tabs = ({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly Tab[];
  /** The tab that the shown page belongs to. */
  current: Tab['to'] | undefined;
}) => (
  <nav className={classes.tabs} aria-label={label}>
    {tabs.map(({ to, label }) => (
      <Link
        key={to}
        to={to}
        activeOptions={{ exact: true }}
        {...(to === current ? { 'aria-current': 'page' } : {})}
      >
        {label}
      </Link>
    ))}
  </nav>
);
