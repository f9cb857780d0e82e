import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace-base';

interface Ids {
  readonly traceId: string;
  readonly spanId: string;
}

/** Random ids, except for the span that `using` starts: a span recorded after its end keeps the ids it was known by. */
export class GivenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #given: Ids | undefined;

  using<T>(ids: Ids, start: () => T): T {
    this.#given = ids;
    try {
      return start();
    } finally {
      this.#given = undefined;
    }
  }

  generateTraceId = (): string => this.#given?.traceId ?? this.#random.generateTraceId();
  generateSpanId = (): string => this.#given?.spanId ?? this.#random.generateSpanId();
}
