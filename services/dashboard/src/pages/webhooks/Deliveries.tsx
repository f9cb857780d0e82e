import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { DELIVERY_STATUSES } from '@verdict/domain/webhook-states.js';
import { deliveriesQuery, type WebhookDelivery, type WebhookEndpoint } from '../../api/webhooks.ts';
import { changed, type FilterChange } from '../../shell/search-params.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { DeliveryStatus } from './DeliveryStatus.tsx';
import { SENT_EVENT_TYPES } from './event-types.ts';
import { nameOf } from './name-of.ts';
import { DELIVERIES_TEXTS as TEXTS } from './texts.ts';
import type { WebhooksSearch } from './webhooks-search.ts';

/** Deliveries and their outcomes; the filters are in the address of the page. */
export function Deliveries({
  search,
  endpoints,
}: {
  search: WebhooksSearch;
  endpoints: readonly WebhookEndpoint[];
}) {
  const { id: open } = useParams({ strict: false });
  const deliveries = useInfiniteQuery(deliveriesQuery(search));
  const filtered = Object.values(search).some((value) => value !== undefined);
  const columns: Column<WebhookDelivery>[] = [
    {
      name: 'Event',
      render: ({ id, event_type: type }) => (
        <Link to="/developers/webhooks/$id" params={{ id }} search={search} data-row="" resetScroll={false}>
          <code>{type}</code>
        </Link>
      ),
    },
    {
      name: 'Endpoint',
      width: '26%',
      from: 'tablet',
      render: ({ endpoint_id: id }) => {
        const endpoint = endpoints.find((one) => one.id === id);
        return <span title={endpoint?.url}>{endpoint ? nameOf(endpoint) : TEXTS.goneEndpoint}</span>;
      },
    },
    { name: 'Status', width: '108px', render: ({ status }) => <DeliveryStatus status={status} /> },
    {
      name: 'Response',
      width: '17%',
      from: 'desktop',
      render: ({ response_status: status, error }) => (
        <span title={error ?? undefined}>{status ?? error ?? '–'}</span>
      ),
    },
    {
      name: 'Attempts',
      width: '84px',
      figure: true,
      from: 'tablet',
      render: ({ attempts }) => attempts,
    },
    { name: 'Created (UTC)', time: ({ created_at: at }) => at },
  ];
  return (
    <Section title="Deliveries" note="Newest first, kept for 90 days.">
      <DeliveryFilters search={search} endpoints={endpoints} />
      <PagedTable
        query={deliveries}
        what="the deliveries"
        label="Deliveries"
        columns={columns}
        rowKey={({ id }) => id}
        {...(open ? { current: open } : {})}
        empty={
          filtered ? (
            <EmptyState title="No matching deliveries" text="Try fewer filters." />
          ) : (
            <EmptyState
              title="Nothing sent yet"
              text="Choose “Send a test” at an endpoint to see a delivery arrive."
            />
          )
        }
      />
    </Section>
  );
}

function DeliveryFilters({
  search,
  endpoints,
}: {
  search: WebhooksSearch;
  endpoints: readonly WebhookEndpoint[];
}) {
  const navigate = useNavigate();
  const change = (part: FilterChange<WebhooksSearch>) =>
    void navigate({ to: '/developers/webhooks', search: changed(search, part), resetScroll: false });
  return (
    <div className={panel.filters}>
      <NativeSelect
        label="Endpoint"
        value={search.endpoint ?? ''}
        onChange={(event) => change({ endpoint: event.currentTarget.value })}
        data={[
          { value: '', label: 'Any endpoint' },
          ...endpoints.map((one) => ({ value: one.id, label: nameOf(one) })),
        ]}
      />
      <NativeSelect
        label="Status"
        value={search.status ?? ''}
        onChange={(event) => change({ status: event.currentTarget.value })}
        data={[{ value: '', label: 'Any status' }, ...DELIVERY_STATUSES]}
      />
      <NativeSelect
        label="Event"
        value={search.event ?? ''}
        onChange={(event) => change({ event: event.currentTarget.value })}
        data={[{ value: '', label: 'Any event' }, ...SENT_EVENT_TYPES]}
      />
      <Button
        variant="subtle"
        color="gray"
        disabled={Object.values(search).every((value) => value === undefined)}
        onClick={() => void navigate({ to: '/developers/webhooks', search: {}, resetScroll: false })}
      >
        Clear filters
      </Button>
    </div>
  );
}
