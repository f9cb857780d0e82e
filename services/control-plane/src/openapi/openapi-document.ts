/** As much of an OpenAPI 3.1 document as is read or written here. */
export interface OpenApiDocument {
  readonly openapi: string;
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
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, Reply>>;
}

/** Said here, or referred to among the components. */
export interface Reply {
  readonly $ref?: string;
  readonly description?: string | undefined;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object; readonly examples?: object }>>;
}
