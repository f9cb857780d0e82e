import { queryOptions } from '@tanstack/react-query';
import { OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import { ApiError } from './api-error.ts';
import { send } from './send.ts';

/** As much of OpenAPI 3.1 as the reference shows. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly $ref?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface OperationBody {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content & { readonly description?: string }>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationBody>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly [kind: string]: Readonly<Record<string, object>> | undefined;
  };
}

export const openApiQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }) => {
    const response = await send(OPENAPI_PATH, { signal });
    if (!response.ok) throw await ApiError.from(response);
    return (await response.json()) as OpenApi;
  },
  staleTime: Number.POSITIVE_INFINITY,
});
