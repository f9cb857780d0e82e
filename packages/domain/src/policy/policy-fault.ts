/** A mistake in a policy, and its place: `rules[1].when.all[0].op`. */
export class PolicyFault extends Error {
  override name = 'PolicyFault';

  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}
