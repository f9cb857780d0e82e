import { type Static, Type } from 'typebox';
import { contractFlags, expandedFlags, expandedTexts, mapFlags } from './signal-flags.js';

export const SignalsSchema = Type.Object(
  mapFlags(contractFlags, ({ description }) => Type.Boolean({ description })),
  { additionalProperties: false },
);
export type Signals = Static<typeof SignalsSchema>;

/** What `?expand=signals` adds. Open: while releases are rolled, scoring may know a flag that its readers do not know yet. */
export const ExtraSignalsSchema = Type.Object({
  ...mapFlags(expandedFlags, ({ description }) => Type.Boolean({ description })),
  suggestion: Type.Union([Type.String(), Type.Null()], { description: expandedTexts.suggestion.description }),
  mail: Type.Optional(
    Type.String({ description: 'Mail servers of the domain, as mailText writes them; empty for none' }),
  ),
});
export type ExtraSignals = Static<typeof ExtraSignalsSchema>;

/** Mail servers of a domain, at most four. */
export const MailServersSchema = Type.Union(
  [
    Type.Object(
      {
        operator: Type.String({ description: 'Registrable domain of the preferred server' }),
        hosts: Type.Array(Type.String(), { description: 'The preferred one first' }),
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  { description: expandedTexts.mx.description },
);
