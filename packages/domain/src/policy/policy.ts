import type { Decision } from '../decision.js';

/** One comparison; what it may hold follows from the type of its field. */
export interface Condition {
  readonly field: string;
  readonly op: string;
  readonly value: string | number | boolean | null | readonly string[];
}

export type When = { readonly all: readonly Clause[] } | { readonly any: readonly Clause[] };
export type Clause = Condition | When;

export type Then =
  | { readonly at_least: Decision }
  | { readonly at_most: Decision }
  | { readonly exactly: Decision }
  | { readonly watch: true };

export interface Rule {
  readonly name: string;
  readonly when: When;
  readonly then: Then;
  /** RFC 3339 in UTC. Checks from this instant on do not match. */
  readonly ends_at?: string;
}

/** A field that conditions may ask about (POLICY_LANGUAGE of the contracts). */
export interface Field {
  readonly type: 'number' | 'flag' | 'text' | 'domain' | 'codes' | 'hosts';
  /** The texts that it may have, where these are few. */
  readonly values?: readonly string[];
  /** The lowest and highest number. */
  readonly range?: readonly [number, number];
  /** Its texts are last labels or shapes of domains, codes of countries, numbers of autonomous systems, networks, or ids of keys. */
  readonly form?: 'ending' | 'shape' | 'country' | 'asn' | 'network' | 'key';
  /** It may be null. */
  readonly nullable?: true;
}

/** The words of the language and its limits. */
export interface Language {
  readonly fields: Readonly<Record<string, Field>>;
  readonly operators: Readonly<Record<Field['type'], readonly string[]>>;
  readonly limits: {
    readonly rules: number;
    readonly conditions: number;
    readonly depth: number;
    readonly bytes: number;
    readonly nameChars: number;
    readonly noteChars: number;
  };
}
