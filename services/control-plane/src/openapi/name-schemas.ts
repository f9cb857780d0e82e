import { CheckResultSchema } from '@verdict/contracts/check-api.js';
import { BatchItemResultSchema, CheckBatchResultSchema } from '@verdict/contracts/check-batch-api.js';
import { ApiKeySchema } from '@verdict/contracts/dashboard/keys-api.js';
import { WebhookDeliverySchema, WebhookEndpointSchema } from '@verdict/contracts/dashboard/webhooks-api.js';
import { DatasetsSchema } from '@verdict/contracts/datasets.js';
import { DecisionSchema } from '@verdict/contracts/decision.js';
import { ErrorBodySchema, LimitErrorBodySchema } from '@verdict/contracts/error-api.js';
import { JobResultSchema, JobSchema } from '@verdict/contracts/jobs-api.js';
import { StatusResultSchema } from '@verdict/contracts/status-api.js';
import { UsageResultSchema } from '@verdict/contracts/usage-api.js';
import { FactorSchema } from '@verdict/contracts/verdict.js';
import type { OpenApiDocument } from './openapi-document.js';

/** Schemas that a generated client should have a type for. */
const NAMED: Readonly<Record<string, object>> = {
  Decision: DecisionSchema,
  Factor: FactorSchema,
  Datasets: DatasetsSchema,
  CheckResult: CheckResultSchema,
  BatchItemResult: BatchItemResultSchema,
  CheckBatchResult: CheckBatchResultSchema,
  StatusResult: StatusResultSchema,
  UsageResult: UsageResultSchema,
  ApiKey: ApiKeySchema,
  WebhookEndpoint: WebhookEndpointSchema,
  WebhookDelivery: WebhookDeliverySchema,
  Job: JobSchema,
  JobResult: JobResultSchema,
  Error: ErrorBodySchema,
  LimitError: LimitErrorBodySchema,
};

/** The document refers to these by name wherever they occur. */
export function nameSchemas(document: OpenApiDocument): OpenApiDocument {
  const names = new Map(Object.entries(NAMED).map(([name, schema]) => [shapeOf(schema), name]));

  function replace(value: unknown, self?: string): unknown {
    if (Array.isArray(value)) return value.map((each) => replace(each));
    if (typeof value !== 'object' || value === null) return value;
    const name = names.get(shapeOf(value));
    if (name !== undefined && name !== self) return { $ref: `#/components/schemas/${name}` };
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replace(each)]));
  }

  const schemas = Object.fromEntries(
    Object.entries(NAMED).map(([name, schema]) => [name, replace(schema, name)]),
  );
  return {
    ...document,
    components: { ...document.components, schemas },
    paths: replace(document.paths) as OpenApiDocument['paths'],
  };
}

/** Equal for schemas that accept the same; whether they tolerate further fields is not asked. */
function shapeOf(schema: object): string {
  return JSON.stringify(schema, (key, value) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  );
}
