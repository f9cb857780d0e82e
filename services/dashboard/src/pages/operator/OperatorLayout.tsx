import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { OPERATOR_PAGES, operatorPagesFor } from '@verdict/contracts/pages.js';
import { meQuery } from '../../api/account.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Tabs } from '../../ui/page/Tabs.tsx';
import { OPERATOR_TEXTS as TEXTS } from './texts.ts';

export function OperatorLayout() {
  const me = useQuery(meQuery);
  const path = useRouterState({ select: (state) => state.location.pathname });
  if (!me.data) {
    return (
      <Loaded query={me} what="the operator area">
        {() => null}
      </Loaded>
    );
  }
  const { operator_role: role } = me.data.user;
  if (role === null) {
    return (
      <>
        <PageHeader title="Operator" />
        <EmptyState
          title={TEXTS.forbidden}
          text="Someone with access to the server can make you an operator:"
        >
          <CodeBlock code="npx verdict users make-operator you@example.com" label={TEXTS.forbidden} />
        </EmptyState>
      </>
    );
  }
  const current = OPERATOR_PAGES.find(({ to }) => path.startsWith(to));
  const pages = operatorPagesFor(role);
  return (
    <>
      <PageHeader
        title={current?.label ?? 'Operator'}
        intro="For people who run this server. Checked addresses never appear here; every action is audited."
      />
      <Tabs label="Operator area" tabs={pages} current={current?.to} />
      {!current || pages.includes(current) ? (
        <Outlet />
      ) : (
        <EmptyState
          title="This page is not for your role"
          text={`Your role as an operator is ${role}. Ask an administrator of this server to change it.`}
        />
      )}
    </>
  );
}
