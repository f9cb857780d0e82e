import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { endpointsQuery, type WebhookEndpoint } from '../../api/webhooks.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { StateMark } from '../../ui/page/StateMark.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EndpointActions } from './EndpointActions.tsx';
import { EVENT_TYPES } from './event-types.ts';
import type { NewSecret } from './NewSecretDialog.tsx';
import { stateOf, WEBHOOKS_TEXTS as TEXTS } from './texts.ts';

/** Where messages go; a click shows what was sent there. */
export function Endpoints({
  onNewSecret,
  onAdd,
}: {
  onNewSecret: (made: NewSecret) => void;
  onAdd: () => void;
}) {
  const endpoints = useQuery(endpointsQuery);
  const columns: Column<WebhookEndpoint>[] = [
    {
      name: TEXTS.url,
      render: ({ id, url, description }) => (
        <Link to="/webhooks" search={{ endpoint: id }} data-row="" title={`${url}\n${TEXTS.seeDeliveries}`}>
          {description ? `${description} · ${url}` : url}
        </Link>
      ),
    },
    {
      name: TEXTS.events,
      width: '84px',
      figure: true,
      from: 'tablet',
      render: ({ events }) => (
        <span title={events.join('\n')}>
          {events.length} of {EVENT_TYPES.length}
        </span>
      ),
    },
    {
      name: TEXTS.status,
      width: '104px',
      render: (endpoint) => (
        <StateMark state={endpoint.status === 'disabled' ? 'off' : endpoint.failing_since ? 'bad' : 'good'}>
          <span title={stateOf(endpoint)}>
            {endpoint.status === 'enabled' && endpoint.failing_since ? TEXTS.failing : endpoint.status}
          </span>
        </StateMark>
      ),
    },
    {
      name: TEXTS.created,
      width: '172px',
      figure: true,
      from: 'tablet',
      render: ({ created_at: at }) => <Time at={at} relative />,
    },
    {
      name: TEXTS.actions,
      width: '48px',
      quiet: true,
      render: (endpoint) => <EndpointActions endpoint={endpoint} onNewSecret={onNewSecret} />,
    },
  ];
  return (
    <Section
      title={TEXTS.endpoints}
      note={endpoints.data ? TEXTS.endpointsNote(endpoints.data.endpoints_max) : ' '}
    >
      {endpoints.error ? (
        <ErrorNotice title={TEXTS.failed} error={endpoints.error} onRetry={() => void endpoints.refetch()} />
      ) : !endpoints.data ? (
        <SkeletonRows rows={3} label={TEXTS.loading} />
      ) : endpoints.data.endpoints.length === 0 ? (
        <EmptyState title={TEXTS.empty} text={TEXTS.emptyText}>
          <Button variant="default" onClick={onAdd}>
            {TEXTS.add}
          </Button>
        </EmptyState>
      ) : (
        <DataTable
          label={TEXTS.endpoints}
          columns={columns}
          rows={endpoints.data.endpoints}
          rowKey={({ id }) => id}
        />
      )}
    </Section>
  );
}
