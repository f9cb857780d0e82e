import { CheckResultSchema } from '@verdict/contracts/check-api.js';
import { BatchItemResultSchema, CheckBatchResultSchema } from '@verdict/contracts/check-batch-api.js';
import { ConsideredSchema } from '@verdict/contracts/considered.js';
import { UsageBreakdownSchema } from '@verdict/contracts/control-plane-api.js';
import { AuditReplySchema } from '@verdict/contracts/dashboard/audit-api.js';
import {
  ConfirmedBodySchema,
  ConfirmSecondFactorBodySchema,
  MailedReplySchema,
  TokensReplySchema,
  UserReplySchema,
} from '@verdict/contracts/dashboard/auth-api.js';
import {
  InvoiceAddressReplySchema,
  InvoiceSchema,
  StatementSchema,
  SubscriptionReplySchema,
} from '@verdict/contracts/dashboard/billing-api.js';
import { DoneSchema, TimestampSchema } from '@verdict/contracts/dashboard/common.js';
import { ApiKeySchema } from '@verdict/contracts/dashboard/keys-api.js';
import {
  AddEntryBodySchema,
  EntryReplySchema,
  ImportBodySchema,
  ImportReplySchema,
  ListEntrySchema,
} from '@verdict/contracts/dashboard/lists-api.js';
import { LogDetailSchema, LogSchema } from '@verdict/contracts/dashboard/logs-api.js';
import {
  OperatorAccountDetailReplySchema,
  OperatorAccountReplySchema,
  OperatorPlanRequestReplySchema,
} from '@verdict/contracts/dashboard/operator-api.js';
import { WebhookDeliverySchema, WebhookEndpointSchema } from '@verdict/contracts/dashboard/webhooks-api.js';
import { DatasetsSchema } from '@verdict/contracts/datasets.js';
import { DecisionSchema } from '@verdict/contracts/decision.js';
import { ErrorBodySchema, LimitErrorBodySchema } from '@verdict/contracts/error-api.js';
import { JobReplySchema, JobResultSchema, JobSchema } from '@verdict/contracts/jobs-api.js';
import { PolicyReplySchema, PolicySchema } from '@verdict/contracts/policy.js';
import { StatusResultSchema } from '@verdict/contracts/status-api.js';
import { UsageResultSchema } from '@verdict/contracts/usage-api.js';
import { FactorSchema } from '@verdict/contracts/verdict.js';
import { WebhookBodySchema } from '@verdict/contracts/webhook-events.js';
import { allowNewFields } from './allow-new-fields.js';
import type { OpenApiDocument } from './openapi-document.js';
import { tidySchema } from './tidy-schema.js';

/** Schemas that a generated client should have a type for. */
const NAMED: Readonly<Record<string, object>> = {
  Timestamp: TimestampSchema,
  Done: DoneSchema,
  EventTime: WebhookBodySchema('', DoneSchema).properties.timestamp,
  Otp: ConfirmSecondFactorBodySchema.properties.otp,
  Signals: CheckResultSchema.properties.signals,
  Decision: DecisionSchema,
  Factor: FactorSchema,
  Datasets: DatasetsSchema,
  CheckResult: CheckResultSchema,
  BatchItemResult: BatchItemResultSchema,
  CheckBatchResult: CheckBatchResultSchema,
  StatusResult: StatusResultSchema,
  UsageResult: UsageResultSchema,
  User: UserReplySchema.properties.user,
  UserReply: UserReplySchema,
  Mailed: MailedReplySchema,
  Tokens: TokensReplySchema,
  ApiKey: ApiKeySchema,
  ListEntry: ListEntrySchema,
  EntryReply: EntryReplySchema,
  ImportReply: ImportReplySchema,
  ByDecision: UsageBreakdownSchema.properties.by_decision,
  Considered: ConsideredSchema,
  Policy: PolicySchema,
  PolicyReply: PolicyReplySchema,
  Log: LogSchema,
  LogDetail: LogDetailSchema,
  Subscription: SubscriptionReplySchema,
  StatementLine: StatementSchema.properties.lines.items,
  Statement: StatementSchema,
  Invoice: InvoiceSchema,
  InvoiceAddress: InvoiceAddressReplySchema,
  AuditEvent: AuditReplySchema.properties.events.items,
  WebhookEndpoint: WebhookEndpointSchema,
  WebhookDelivery: WebhookDeliverySchema,
  Job: JobSchema,
  JobReply: JobReplySchema,
  JobResult: JobResultSchema,
  OperatorAccount: OperatorAccountReplySchema.properties.account,
  OperatorAccountDetail: OperatorAccountDetailReplySchema,
  OperatorPlanRequest: OperatorPlanRequestReplySchema.properties.request,
  Error: ErrorBodySchema,
  LimitError: LimitErrorBodySchema,
};

/** Bodies that several operations take. */
const BODIES: Readonly<Record<string, object>> = {
  Confirmed: ConfirmedBodySchema,
  NewEntry: AddEntryBodySchema,
  Import: ImportBodySchema,
};

/** The document refers to these by name wherever they occur. Headers hold none of them. */
export function nameSchemas(document: OpenApiDocument): OpenApiDocument {
  const own = [
    ...Object.entries(NAMED).map(([name, schema]) => [name, tidySchema(allowNewFields(schema))] as const),
    ...Object.entries(BODIES).map(([name, schema]) => [name, tidySchema(schema)] as const),
  ];
  const shapeOf = createShapes();
  const names = new Map(own.map(([name, schema]) => [shapeOf(schema), name]));

  function replace(value: unknown, self?: string): unknown {
    if (Array.isArray(value)) return value.map((each) => replace(each));
    if (typeof value !== 'object' || value === null) return value;
    const name = names.get(shapeOf(value));
    if (name !== undefined && name !== self) return { $ref: `#/components/schemas/${name}` };
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, key === 'headers' ? each : replace(each)]),
    );
  }

  return {
    ...document,
    components: {
      ...document.components,
      schemas: Object.fromEntries(own.map(([name, schema]) => [name, replace(schema, name)])),
    },
    paths: replace(tidySchema(document.paths)) as OpenApiDocument['paths'],
    ...(document.webhooks && {
      webhooks: replace(tidySchema(document.webhooks)) as OpenApiDocument['paths'],
    }),
  };
}

/** Numbers schemas, equal ones alike whatever the order of their keywords. Looks at each part once, because there are thousands. */
function createShapes(): (schema: unknown) => number {
  const numbers = new Map<string, number>();
  const known = new WeakMap<object, number>();
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  return function shapeOf(schema) {
    if (typeof schema !== 'object' || schema === null) return numberOf(JSON.stringify(schema) ?? '');
    const standing = known.get(schema);
    if (standing !== undefined) return standing;
    const parts = Array.isArray(schema)
      ? schema.map(shapeOf)
      : Object.entries(schema).map(([key, each]) => `${JSON.stringify(key)}:${shapeOf(each)}`);
    const number = numberOf(Array.isArray(schema) ? `[${parts}]` : `{${parts.sort()}}`);
    known.set(schema, number);
    return number;
  };
}
