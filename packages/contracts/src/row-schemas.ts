import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { AuditReplySchema } from './dashboard/audit-api.js';
import { SessionsReplySchema, UserReplySchema } from './dashboard/auth-api.js';
import { SpendingBodySchema, StatementSchema, SubscriptionReplySchema } from './dashboard/billing-api.js';
import { TimestampSchema } from './dashboard/common.js';
import { HookReplySchema } from './dashboard/hooks-api.js';
import { ApiKeySchema, KeyNetworkSchema } from './dashboard/keys-api.js';
import { ListEntrySchema } from './dashboard/lists-api.js';
import { BurstSchema, LogDetailSchema, LogSchema } from './dashboard/logs-api.js';
import { InvitationSchema, MemberSchema } from './dashboard/members-api.js';
import {
  OperatorAccountDetailReplySchema,
  OperatorMonthsReplySchema,
  OperatorPlanRequestReplySchema,
} from './dashboard/operator-api.js';
import { RefusedReplySchema } from './dashboard/refused-api.js';
import { RevisionSchema } from './dashboard/revisions-api.js';
import { AccountSettingsReplySchema } from './dashboard/settings-api.js';
import { SubjectErasureSchema } from './dashboard/subject-api.js';
import {
  DeliveryReplySchema,
  WebhookDeliverySchema,
  WebhookEndpointSchema,
} from './dashboard/webhooks-api.js';
import { PolicySchema, PolicySummarySchema } from './policy.js';
import { ReviewSchema } from './review-api.js';

const CLOSED = { additionalProperties: false };
const { account, users, keys } = OperatorAccountDetailReplySchema.properties;

/** Rows that the API shows as Postgres has them, by name; what a service adds to a row is left out here. */
const ROW_SCHEMAS = {
  apiKey: ApiKeySchema,
  accountSettings: Type.Omit(AccountSettingsReplySchema, ['success'], CLOSED),
  auditEvent: AuditReplySchema.properties.events.items,
  burst: BurstSchema,
  hook: Type.Omit(HookReplySchema.properties.hook, ['url'], CLOSED),
  invitation: InvitationSchema,
  keyNetwork: KeyNetworkSchema,
  listEntry: ListEntrySchema,
  log: LogSchema,
  logDetail: LogDetailSchema,
  member: MemberSchema,
  nextPlan: SubscriptionReplySchema.properties.next_plan.anyOf[0],
  operatorAccount: Type.Omit(account, ['state', 'checks_limit'], CLOSED),
  operatorKey: keys.items,
  operatorMonth: OperatorMonthsReplySchema.properties.months.items,
  operatorUser: users.items,
  planRequest: OperatorPlanRequestReplySchema.properties.request,
  policy: Type.Omit(PolicySchema, ['state'], CLOSED),
  policySummary: Type.Omit(PolicySummarySchema, ['state'], CLOSED),
  refused: RefusedReplySchema.properties.refused.items,
  review: ReviewSchema,
  revision: RevisionSchema,
  session: Type.Omit(SessionsReplySchema.properties.sessions.items, ['current'], CLOSED),
  spendingLimits: SpendingBodySchema,
  statement: StatementSchema,
  subjectErasure: SubjectErasureSchema,
  user: UserReplySchema.properties.user,
  webhookDelivery: WebhookDeliverySchema,
  webhookDeliveryDetail: Type.Object(
    {
      ...WebhookDeliverySchema.properties,
      event_created_at: TimestampSchema,
      data: Type.Record(Type.String(), Type.Unknown()),
      tries: DeliveryReplySchema.properties.attempts,
    },
    CLOSED,
  ),
  webhookEndpoint: WebhookEndpointSchema,
};

/** The rows by the names of their schemas. */
export type Rows = { [Name in keyof typeof ROW_SCHEMAS]: Static<(typeof ROW_SCHEMAS)[Name]> };

/** The first way in which a value differs from its schema; undefined when they agree. */
export function misfitOfSchema(name: keyof Rows, value: unknown): string | undefined {
  const [error] = Value.Errors(ROW_SCHEMAS[name], value);
  return error && `${name}${error.instancePath} ${error.message}`;
}
