import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { deliveriesQuery, type WebhookDelivery, type WebhookEndpoint } from '../../api/webhooks.ts';
import { changed, type FilterChange } from '../../shell/search-params.ts';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/DataTable.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { DeliveryStatus } from './DeliveryStatus.tsx';
import { SENT_EVENT_TYPES } from './event-types.ts';
import { nameOf } from './name-of.ts';
import { DELIVERIES_TEXTS as TEXTS } from './texts.ts';
import { DELIVERY_STATUSES, type WebhooksSearch } from './webhooks-search.ts';

/** Deliveries and their outcomes; the filters are in the address of the page. */
export function Deliveries({
  search,
  endpoints,
}: {
  search: WebhooksSearch;
  endpoints: readonly WebhookEndpoint[];
}) {
  const navigate = useNavigate();
  const { id: open } = useParams({ strict: false });
  const deliveries = useInfiniteQuery(deliveriesQuery(search));
  const rows = useMemo(
    () => deliveries.data?.pages.flatMap((page) => page.deliveries) ?? [],
    [deliveries.data],
  );
  const filtered = Object.values(search).some((value) => value !== undefined);
  const change = (part: FilterChange<WebhooksSearch>) =>
    void navigate({ to: '/webhooks', search: changed(search, part), resetScroll: false });

  const columns: Column<WebhookDelivery>[] = [
    {
      name: TEXTS.event,
      render: ({ id, event_type: type }) => (
        <Link to="/webhooks/$id" params={{ id }} search={search} data-row="" resetScroll={false}>
          <code>{type}</code>
        </Link>
      ),
    },
    {
      name: TEXTS.endpoint,
      width: '26%',
      from: 'tablet',
      render: ({ endpoint_id: id }) => {
        const endpoint = endpoints.find((one) => one.id === id);
        return <span title={endpoint?.url}>{endpoint ? nameOf(endpoint) : TEXTS.goneEndpoint}</span>;
      },
    },
    { name: TEXTS.status, width: '108px', render: ({ status }) => <DeliveryStatus status={status} /> },
    {
      name: TEXTS.answer,
      width: '17%',
      from: 'desktop',
      render: ({ response_status: status, error }) => (
        <span title={error ?? undefined}>{status ?? error ?? '–'}</span>
      ),
    },
    {
      name: TEXTS.attempts,
      width: '84px',
      figure: true,
      from: 'tablet',
      render: ({ attempts }) => attempts,
    },
    {
      name: TEXTS.when,
      width: '172px',
      figure: true,
      from: 'tablet',
      render: ({ created_at: at }) => <Time at={at} relative />,
    },
  ];
  return (
    <Section title={TEXTS.title} note={TEXTS.note}>
      <div className={panel.filters}>
        <NativeSelect
          label={TEXTS.endpoint}
          value={search.endpoint ?? ''}
          onChange={(event) => change({ endpoint: event.currentTarget.value })}
          data={[
            { value: '', label: TEXTS.anyEndpoint },
            ...endpoints.map((one) => ({ value: one.id, label: nameOf(one) })),
          ]}
        />
        <NativeSelect
          label={TEXTS.status}
          value={search.status ?? ''}
          onChange={(event) => change({ status: event.currentTarget.value })}
          data={[{ value: '', label: TEXTS.anyStatus }, ...DELIVERY_STATUSES]}
        />
        <NativeSelect
          label={TEXTS.event}
          value={search.event ?? ''}
          onChange={(event) => change({ event: event.currentTarget.value })}
          data={[{ value: '', label: TEXTS.anyEvent }, ...SENT_EVENT_TYPES]}
        />
        <Button
          variant="subtle"
          color="gray"
          disabled={!filtered}
          onClick={() => void navigate({ to: '/webhooks', search: {}, resetScroll: false })}
        >
          {TEXTS.clear}
        </Button>
      </div>
      <PagedTable
        query={deliveries}
        texts={TEXTS}
        label={TEXTS.title}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        {...(open ? { current: open } : {})}
        empty={
          filtered ? (
            <EmptyState title={TEXTS.noMatch} text={TEXTS.noMatchText} />
          ) : (
            <EmptyState title={TEXTS.empty} text={TEXTS.emptyText} />
          )
        }
      />
    </Section>
  );
}
