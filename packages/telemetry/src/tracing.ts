export type Attributes = Readonly<Record<string, string | number>>;

export type StepKind = 'server' | 'client' | 'producer' | 'consumer';

/** One step of a trace while it lasts: a span, as far as we need one. It ends once; what comes after is ignored. */
export interface Step {
  readonly traceId: string;
  /** W3C `traceparent` for the next service; null when this trace is not sampled. */
  readonly traceparent: string | null;
  end(attributes?: Attributes): void;
  fail(reason: unknown, attributes?: Attributes): void;
}

/** A step that is over, with its parts one after the other; times are those of `performance.now()`. */
export interface PastStep {
  readonly kind: StepKind;
  readonly name: string;
  readonly parent: string | undefined;
  readonly beganAtMs: number;
  readonly endedAtMs: number;
  readonly attributes: Attributes;
  readonly failure?: string | undefined;
  readonly parts: readonly {
    readonly name: string;
    readonly beganAtMs: number;
    readonly endedAtMs: number;
  }[];
}

/** The parts of OpenTelemetry that services use; null where traces are off. */
export interface Tracing {
  /** Continues from a step of this process or from the `traceparent` of another; without either it starts a trace. */
  start(kind: StepKind, name: string, parent: Step | string | undefined, attributes?: Attributes): Step;
  /** Runs work, and all that it awaits, as part of a step. */
  within<T>(step: Step | undefined, work: () => T): T;
  current(): Step | undefined;
  /**
   * Records a step that was not sampled, under its own ids. Only its end shows that a step was slow or failed, and the
   * sampler decides at its beginning.
   */
  keep(step: Step, past: PastStep): void;
  /** Hands over what is recorded; does not wait long for a collector that is away. */
  close(): Promise<void>;
}
