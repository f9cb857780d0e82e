/** As much of an OpenAPI 3.1 document as is read or written here. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags?: readonly { readonly name: string }[];
  /** Of operations that say nothing else. */
  readonly security?: readonly object[];
  readonly components: { readonly [kind: string]: object };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** The messages by event. */
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  /** The roles whose tokens may call it. */
  readonly 'x-roles'?: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, Reply | Reference>>;
}

/** A component. */
export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: object;
}

export interface Reply {
  readonly description?: string | undefined;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object; readonly examples?: object }>>;
}
