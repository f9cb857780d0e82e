import { type Static, Type } from 'typebox';

/** The three flags of the public contract: no more unless the caller asks with `?expand=signals`. */
export const SignalsSchema = Type.Object(
  {
    disposable_email: Type.Boolean({ description: 'The email uses a known disposable domain' }),
    mx_valid: Type.Boolean({ description: 'The domain has MX records; false if none were found' }),
    free_provider: Type.Boolean({ description: 'The email uses a free consumer provider' }),
  },
  { additionalProperties: false },
);
export type Signals = Static<typeof SignalsSchema>;

/** What `?expand=signals` adds. Open: while releases are rolled, scoring may know a flag that its readers do not know yet. */
export const ExtraSignalsSchema = Type.Object({
  role_account: Type.Boolean({ description: 'The mailbox name is a role such as info or support' }),
  no_reply: Type.Boolean({ description: 'The mailbox name says that nobody reads it' }),
  relay: Type.Boolean({ description: 'The domain forwards mail to a hidden address' }),
  mx_unknown: Type.Boolean({ description: 'The look-up of the mail servers did not complete' }),
  plus_tag: Type.Boolean({ description: 'The mailbox name carries a +tag' }),
  suggestion: Type.Union([Type.String(), Type.Null()], {
    description: 'The address that was probably meant, when the domain looks mistyped',
  }),
});
export type ExtraSignals = Static<typeof ExtraSignalsSchema>;
