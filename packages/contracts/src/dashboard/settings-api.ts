import { type Static, Type } from 'typebox';
import { Success } from './common.js';

const SETTINGS = {
  bursts: Type.Boolean({ description: 'Score repeated sign-ups' }),
  burst_mails: Type.Boolean({ description: 'Mail members when repeated sign-ups begin and end' }),
  ip_intelligence: Type.Boolean({ description: 'Look up IPs' }),
};

export const AccountSettingsReplySchema = Success(SETTINGS);
export type AccountSettingsReply = Static<typeof AccountSettingsReplySchema>;

export const AccountSettingsBodySchema = Type.Partial(
  Type.Object(SETTINGS, { additionalProperties: false }),
  { additionalProperties: false, minProperties: 1 },
);
export type AccountSettingsBody = Static<typeof AccountSettingsBodySchema>;
