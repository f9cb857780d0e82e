import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { meQuery } from '../../api/account.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
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
  const path = useRouterState({ select: (state) => state.location.pathname });
  if (!me.data) return <SkeletonRows label={TEXTS.loading} />;
  if (!me.data.user.operator) {
    return (
      <>
        <PageHeader title={TEXTS.area} />
        <EmptyState title={TEXTS.forbidden} text={TEXTS.forbiddenText}>
          <CodeBlock code={TEXTS.command} label={TEXTS.forbidden} />
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={TABS.find(({ to }) => path.startsWith(to))?.label ?? TEXTS.area}
        intro={TEXTS.intro}
      />
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
