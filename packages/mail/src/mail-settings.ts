import { Type } from 'typebox';

export const SMTP_URL = Type.Optional(
  Type.String({
    pattern: '^smtps?://',
    description:
      'Mail server: smtp[s]://user:password@host:port. Enables address confirmation, password reset, security notices, attacks and invoices by mail; without it no mail is sent',
  }),
);

/** The settings of a service that sends mail. */
export const MAIL_SETTINGS = {
  SMTP_URL,
  MAIL_FROM: Type.Optional(
    Type.String({ minLength: 3, description: 'Sender of mails: Verdict <verdict@example.com>' }),
  ),
  PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'Address of the dashboard for links in mails: https://verdict.example.com',
    }),
  ),
};

interface MailConfig {
  readonly SMTP_URL?: string;
  readonly MAIL_FROM?: string;
  readonly PUBLIC_URL?: string;
  readonly SECRETS_KEY?: string;
}

/** For readConfig: with a mail server these are needed too. */
export const missingMailSettings = (config: MailConfig, needed: readonly (keyof MailConfig)[]): string[] =>
  config.SMTP_URL === undefined
    ? []
    : needed
        .filter((name) => config[name] === undefined)
        .map((name) => `${name} is missing: SMTP_URL needs it`);
