import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { endpointsQuery, type WebhookEndpoint } from '../../api/webhooks.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { StateMark } from '../../ui/page/StateMark.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
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
      name: 'Endpoint',
      render: ({ id, url, description }) => (
        <Link
          to="/developers/webhooks"
          search={{ endpoint: id }}
          data-row=""
          title={`${url}\nSee its deliveries`}
        >
          {description ? `${description} · ${url}` : url}
        </Link>
      ),
    },
    {
      name: 'Events',
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
      name: 'Status',
      width: '104px',
      render: (endpoint) => (
        <StateMark state={endpoint.status === 'disabled' ? 'off' : endpoint.failing_since ? 'bad' : 'good'}>
          <span title={stateOf(endpoint)}>
            {endpoint.status === 'enabled' && endpoint.failing_since ? 'failing' : endpoint.status}
          </span>
        </StateMark>
      ),
    },
    { name: 'Added (UTC)', time: ({ created_at: at }) => at },
    { actions: (endpoint) => <EndpointActions endpoint={endpoint} onNewSecret={onNewSecret} /> },
  ];
  return (
    <Section
      title="Endpoints"
      note={endpoints.data ? `URLs that receive events, at most ${endpoints.data.endpoints_max}.` : ' '}
    >
      <Loaded
        query={endpoints}
        what="the endpoints"
        rows={3}
        isEmpty={(data) => data.endpoints.length === 0}
        empty={
          <EmptyState
            title="No endpoints yet"
            text="Add an https URL of yours that accepts POST requests. Its signing secret is shown once."
          >
            <Button variant="default" onClick={onAdd}>
              {TEXTS.add}
            </Button>
          </EmptyState>
        }
      >
        {(data) => (
          <DataTable label="Endpoints" columns={columns} rows={data.endpoints} rowKey={({ id }) => id} />
        )}
      </Loaded>
    </Section>
  );
}
