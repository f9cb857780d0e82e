import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import {
  type DeliveryDetail,
  deliveryQuery,
  endpointsQuery,
  retryDelivery,
  WEBHOOKS,
} from '../../api/webhooks.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { SidePanel } from '../../ui/dialog/SidePanel.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { showError } from '../../ui/error/show-error.ts';
import { Time } from '../../ui/format/Time.tsx';
import { Facts } from '../../ui/page/Facts.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { Attempts } from './Attempts.tsx';
import { DeliveryStatus } from './DeliveryStatus.tsx';
import { DELIVERIES_TEXTS, DELIVERY_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/webhooks/$id');
const parent = getRouteApi('/app/webhooks');

export function DeliveryPanel() {
  const { id } = route.useParams();
  const search = parent.useSearch();
  const navigate = useNavigate();
  const delivery = useQuery(deliveryQuery(id));
  return (
    <SidePanel
      title={delivery.data ? <code>{delivery.data.delivery.event_type}</code> : TEXTS.loading}
      onClose={() => void navigate({ to: '/webhooks', search, resetScroll: false })}
    >
      {delivery.error ? (
        <ErrorNotice title={TEXTS.failed} error={delivery.error} onRetry={() => void delivery.refetch()} />
      ) : delivery.data ? (
        <Details detail={delivery.data} />
      ) : (
        <SkeletonRows rows={10} label={TEXTS.loading} />
      )}
    </SidePanel>
  );
}

function Details({ detail }: { detail: DeliveryDetail }) {
  const { delivery, attempts, body } = detail;
  const endpoints = useQuery(endpointsQuery);
  const endpoint = endpoints.data?.endpoints.find(({ id }) => id === delivery.endpoint_id);
  const client = useQueryClient();
  const retrying = useMutation({
    mutationFn: () => retryDelivery(delivery.id),
    onSuccess: () => notifications.show({ message: TEXTS.retried }),
    onError: showError(TEXTS.retryFailed),
    onSettled: () => client.invalidateQueries({ queryKey: WEBHOOKS }),
  });
  return (
    <>
      <Section
        title={TEXTS.facts}
        aside={
          endpoint?.status === 'enabled' ? (
            <Button
              variant="default"
              size="xs"
              loading={retrying.isPending}
              onClick={() => retrying.mutate()}
            >
              {TEXTS.retry}
            </Button>
          ) : null
        }
      >
        <Facts
          facts={[
            [TEXTS.status, <DeliveryStatus key="status" status={delivery.status} />],
            [TEXTS.endpoint, endpoint?.url ?? DELIVERIES_TEXTS.goneEndpoint],
            [TEXTS.created, <Time key="created" at={delivery.created_at} />],
            ...(delivery.next_attempt_at && delivery.status === 'pending'
              ? [[TEXTS.next, <Time key="next" at={delivery.next_attempt_at} />] as const]
              : []),
            ...(delivery.finished_at
              ? [[TEXTS.finished, <Time key="finished" at={delivery.finished_at} />] as const]
              : []),
            [TEXTS.event, <CopyId key="event" id={delivery.event_id} whole />],
            [TEXTS.id, <CopyId key="id" id={delivery.id} whole />],
          ]}
        />
      </Section>
      <Section title={TEXTS.attempts}>
        <Attempts attempts={attempts} />
      </Section>
      <Section title={TEXTS.body}>
        <CodeBlock code={JSON.stringify(body, null, 2)} label={TEXTS.body} tall />
      </Section>
    </>
  );
}
