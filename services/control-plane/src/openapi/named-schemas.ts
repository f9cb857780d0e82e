import * as check from '@verdict/contracts/check-api.js';
import * as checkBatch from '@verdict/contracts/check-batch-api.js';
import { ConsideredSchema } from '@verdict/contracts/considered.js';
import { UsageBreakdownSchema } from '@verdict/contracts/control-plane-api.js';
import * as audit from '@verdict/contracts/dashboard/audit-api.js';
import * as auth from '@verdict/contracts/dashboard/auth-api.js';
import * as billing from '@verdict/contracts/dashboard/billing-api.js';
import * as common from '@verdict/contracts/dashboard/common.js';
import { HookReplySchema } from '@verdict/contracts/dashboard/hooks-api.js';
import * as keys from '@verdict/contracts/dashboard/keys-api.js';
import * as lists from '@verdict/contracts/dashboard/lists-api.js';
import * as logs from '@verdict/contracts/dashboard/logs-api.js';
import * as operator from '@verdict/contracts/dashboard/operator-api.js';
import * as refused from '@verdict/contracts/dashboard/refused-api.js';
import * as revisions from '@verdict/contracts/dashboard/revisions-api.js';
import * as settings from '@verdict/contracts/dashboard/settings-api.js';
import * as dashboardUsage from '@verdict/contracts/dashboard/usage-api.js';
import * as webhooks from '@verdict/contracts/dashboard/webhooks-api.js';
import * as datasets from '@verdict/contracts/datasets.js';
import * as decision from '@verdict/contracts/decision.js';
import { ErrorBodySchema, LimitErrorBodySchema } from '@verdict/contracts/error-api.js';
import * as jobs from '@verdict/contracts/jobs-api.js';
import * as policy from '@verdict/contracts/policy.js';
import type { Route } from '@verdict/contracts/routes/route.js';
import { CONTROL_PLANE_ROUTES } from '@verdict/contracts/routes/routes.js';
import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { SignalsSchema } from '@verdict/contracts/signals.js';
import * as status from '@verdict/contracts/status-api.js';
import * as usage from '@verdict/contracts/usage-api.js';
import * as verdict from '@verdict/contracts/verdict.js';
import { WEBHOOK_EVENTS, WebhookBodySchema } from '@verdict/contracts/webhook-events.js';
import { tidySchema } from './tidy-schema.js';

const MODULES = [
  common,
  decision,
  verdict,
  datasets,
  check,
  checkBatch,
  status,
  usage,
  auth,
  keys,
  lists,
  policy,
  logs,
  refused,
  revisions,
  dashboardUsage,
  billing,
  audit,
  settings,
  webhooks,
  jobs,
  operator,
] as const;

/** The bodies and replies of all routes. */
const WHOLE: readonly unknown[] = [
  ...Object.values<Route>(VALIDATION_ROUTES),
  ...CONTROL_PLANE_ROUTES,
].flatMap(({ body, replies }) => [body, ...Object.values(replies)]);

/** Parts that the contract does not export under the name that clients should see. */
const PARTS: Readonly<Record<string, object>> = {
  Error: ErrorBodySchema,
  LimitError: LimitErrorBodySchema,
  Signals: check.CheckResultSchema.properties.signals,
  EventTime: WebhookBodySchema('', common.DoneSchema).properties.timestamp,
  Otp: auth.ConfirmSecondFactorBodySchema.properties.otp,
  User: auth.UserReplySchema.properties.user,
  Mailed: auth.MailedReplySchema,
  Tokens: auth.TokensReplySchema,
  ByDecision: UsageBreakdownSchema.properties.by_decision,
  ByDay: UsageBreakdownSchema.properties.by_day,
  Period: usage.UsageResultSchema.properties.period,
  Flags: SignalsSchema,
  TriedDecision: policy.TryPolicyReplySchema.properties.before,
  ChangedChecks: policy.BacktestSchema.properties.matrix.items,
  Considered: ConsideredSchema,
  QuotaEvent: WEBHOOK_EVENTS['quota.warning'].data,
  CheckEvent: WEBHOOK_EVENTS['check.blocked'].data,
  JobEvent: WEBHOOK_EVENTS['job.completed'].data,
  KeyEvent: WEBHOOK_EVENTS['key.created'].data,
  JudgedBy: logs.LogSchema.properties.policy,
  DatasetVersion: datasets.DatasetsSchema.properties.free_providers,
  NullableTimestamp: common.NullableTimestampSchema,

  Subscription: billing.SubscriptionReplySchema,
  StatementLine: billing.StatementSchema.properties.lines.items,
  InvoiceAddress: billing.InvoiceAddressReplySchema,
  Hook: HookReplySchema.properties.hook,
  AuditEvent: audit.AuditReplySchema.properties.events.items,
  OperatorAccount: operator.OperatorAccountReplySchema.properties.account,
  OperatorAccountDetail: operator.OperatorAccountDetailReplySchema,
  OperatorPlanRequest: operator.OperatorPlanRequestReplySchema.properties.request,
};

/** The schemas that openapi.json refers to by name: what the contract exports, without the word Schema. */
export const NAMED_SCHEMAS: readonly (readonly [name: string, schema: object])[] = [
  ...Object.entries(PARTS),
  ...MODULES.flatMap((module) => Object.entries<unknown>(module)).flatMap(([name, value]) =>
    name.endsWith('Schema') && isWorthAName(name, value)
      ? [[name.replace(/Schema$/, ''), value] as const]
      : [],
  ),
];

/** A plain number says as much as its name, and a body or reply of one operation is named by the operation. */
function isWorthAName(name: string, value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const written = tidySchema(value) as object;
  if (!['properties', 'enum', 'pattern'].some((keyword) => keyword in written)) return false;
  return !/(Body|Reply)Schema$/.test(name) || WHOLE.filter((schema) => schema === value).length > 1;
}
