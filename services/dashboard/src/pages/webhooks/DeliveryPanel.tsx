import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { type DeliveryDetail, deliveryQuery, endpointsQuery, WEBHOOKS } from '../../api/webhooks.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { SidePanel } from '../../ui/dialog/SidePanel.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { Attempts } from './Attempts.tsx';
import { DeliveryStatus } from './DeliveryStatus.tsx';
import { DELIVERIES_TEXTS } from './texts.ts';

const route = getRouteApi('/app/developers/webhooks/$id');
const parent = getRouteApi('/app/developers/webhooks');

export function DeliveryPanel() {
  const { id } = route.useParams();
  const search = parent.useSearch();
  const navigate = useNavigate();
  const delivery = useQuery(deliveryQuery(id));
  return (
    <SidePanel
      title={delivery.data ? <code>{delivery.data.delivery.event_type}</code> : 'Delivery'}
      onClose={() => void navigate({ to: '/developers/webhooks', search, resetScroll: false })}
    >
      <Loaded query={delivery} what="the delivery" rows={10}>
        {(detail) => <Details detail={detail} />}
      </Loaded>
    </SidePanel>
  );
}

function Details({ detail }: { detail: DeliveryDetail }) {
  const { delivery, attempts, body } = detail;
  const endpoints = useQuery(endpointsQuery);
  const endpoint = endpoints.data?.endpoints.find(({ id }) => id === delivery.endpoint_id);
  const retrying = useAction(
    () => call('POST /webhooks/deliveries/:id/retry/', { params: { id: delivery.id } }),
    { stale: [WEBHOOKS], done: 'Sending again', failed: 'Could not send it' },
  );
  return (
    <>
      <Section
        title="Facts"
        aside={
          endpoint?.status === 'enabled' ? (
            <Button
              variant="default"
              size="xs"
              loading={retrying.isPending}
              onClick={() => retrying.mutate()}
            >
              Send again
            </Button>
          ) : null
        }
      >
        <Facts
          facts={[
            ['Status', <DeliveryStatus key="status" status={delivery.status} />],
            ['Endpoint', endpoint?.url ?? DELIVERIES_TEXTS.goneEndpoint],
            ['Created (UTC)', <Time key="created" at={delivery.created_at} />],
            ...(delivery.next_attempt_at && delivery.status === 'pending'
              ? [['Next attempt (UTC)', <Time key="next" at={delivery.next_attempt_at} />] as const]
              : []),
            ...(delivery.finished_at
              ? [['Finished (UTC)', <Time key="finished" at={delivery.finished_at} />] as const]
              : []),
            ['webhook-id', <CopyId key="event" id={delivery.event_id} whole />],
            ['Delivery', <CopyId key="id" id={delivery.id} whole />],
          ]}
        />
      </Section>
      <Section title="Attempts">
        <Attempts attempts={attempts} />
      </Section>
      <Section title="Message">
        <CodeBlock code={JSON.stringify(body, null, 2)} label="Message" tall />
      </Section>
    </>
  );
}
