import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { meQuery } from '../../api/account.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SkeletonRows } from '../../ui/Skeletons.tsx';
import classes from './OperatorLayout.module.css';
import { OPERATOR_TEXTS as TEXTS } from './texts.ts';

const TABS = [
  { to: '/operator/accounts', label: TEXTS.accounts },
  { to: '/operator/plan-requests', label: TEXTS.requests },
  { to: '/operator/months', label: TEXTS.months },
  { to: '/operator/system', label: TEXTS.system },
] as const;

export function OperatorLayout() {
  const me = useQuery(meQuery);
  if (!me.data) return <SkeletonRows label={TEXTS.loading} />;
  if (!me.data.user.operator) {
    return (
      <>
        <PageHeader title={TEXTS.title} />
        <EmptyState title={TEXTS.forbidden} text={TEXTS.forbiddenText}>
          <CodeBlock code={TEXTS.command} label={TEXTS.forbidden} />
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader title={TEXTS.title} intro={TEXTS.intro} />
      <nav className={classes.tabs} aria-label={TEXTS.tabs}>
        {TABS.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
