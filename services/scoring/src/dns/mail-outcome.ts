/** Where a domain's mail goes. `unknown` is our failure, never evidence against the domain. */
export type MailOutcome =
  | {
      readonly kind: 'mx';
      readonly hosts: readonly string[];
      /** IPv4 addresses of the first server, unless honest mail shares it or they could not be learnt. */
      readonly addresses: readonly string[];
      readonly routable: boolean;
    }
  | { readonly kind: 'null_mx' }
  | { readonly kind: 'implicit_mx' }
  | { readonly kind: 'no_mail' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };

/** For metrics and logs; the sentence to the customer is the same for all. */
export type UnknownCause = 'deadline' | 'failure' | 'resolver_unhealthy' | 'busy' | 'budget';

const unknowns: Record<UnknownCause, MailOutcome> = {
  deadline: { kind: 'unknown', cause: 'deadline' },
  failure: { kind: 'unknown', cause: 'failure' },
  resolver_unhealthy: { kind: 'unknown', cause: 'resolver_unhealthy' },
  busy: { kind: 'unknown', cause: 'busy' },
  budget: { kind: 'unknown', cause: 'budget' },
};

export function unknownMail(cause: UnknownCause): MailOutcome {
  return unknowns[cause];
}

/** Mail servers that can be reached, with nothing known against them. */
export function mailAt(...hosts: string[]): MailOutcome {
  return { kind: 'mx', hosts, addresses: [], routable: true };
}
