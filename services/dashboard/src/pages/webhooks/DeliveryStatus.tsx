import type { WebhookDelivery } from '../../api/webhooks.ts';
import { StateMark } from '../../ui/page/StateMark.tsx';
import { DELIVERY_STATES } from './texts.ts';

const STATES = { pending: 'waiting', delivered: 'good', failed: 'bad' } as const;

export const DeliveryStatus = ({ status }: { status: WebhookDelivery['status'] }) => (
  <StateMark state={STATES[status]}>{DELIVERY_STATES[status]}</StateMark>
);
