import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { hookTag } from '@verdict/contracts/hook-kinds.js';
import { type Hook, hooksQuery } from '../../api/hooks.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { SidePanel } from '../../ui/dialog/SidePanel.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { HookDeliveries } from './HookDeliveries.tsx';
import { hookAddress } from './hook-address.ts';
import { refusalsOf } from './refusals-of.ts';
import { TestHook } from './TestHook.tsx';
import { KIND_LIMITS, KIND_NAMES, KIND_STEPS, ON_ERROR_NAMES, HOOKS_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/developers/hooks/$id');

export function HookPanel() {
  const { id } = route.useParams();
  const navigate = useNavigate();
  const hooks = useQuery(hooksQuery);
  const hook = hooks.data?.hooks.find((one) => one.id === id);
  return (
    <SidePanel
      title={hook ? KIND_NAMES[hook.kind] : 'Hook'}
      onClose={() => void navigate({ to: '/developers/hooks', resetScroll: false })}
    >
      <Loaded
        query={hooks}
        what="the hook"
        rows={8}
        isEmpty={() => hook === undefined}
        empty={<EmptyState title="This hook was deleted" text="Create another one on this page." />}
      >
        {() => hook && <Details hook={hook} />}
      </Loaded>
    </SidePanel>
  );
}

function Details({ hook }: { hook: Hook }) {
  const limit = KIND_LIMITS[hook.kind];
  return (
    <>
      <Section title="Hook">
        <CodeBlock code={hookAddress(hook)} label="URL" />
        <Facts
          facts={[
            ['Set up', KIND_STEPS[hook.kind]],
            ...(limit ? [['Limit', limit] as const] : []),
            [TEXTS.refuses, refusalsOf(hook)],
            [TEXTS.onError, ON_ERROR_NAMES[hook.on_error]],
            ['Message', hook.message],
            ['Id', <CopyId key="id" id={hook.id} whole />],
            [
              'Checks',
              <Link key="checks" to="/checks" search={{ tag: hookTag(hook) }}>
                All checks of this hook
              </Link>,
            ],
            [
              'Guide',
              <Link key="guide" to="/docs/$guide" params={{ guide: 'hooks' }}>
                {TEXTS.title}
              </Link>,
            ],
          ]}
        />
      </Section>
      <TestHook key={hook.id} hook={hook} />
      <HookDeliveries hook={hook} />
    </>
  );
}
