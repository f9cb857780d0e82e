interface WebhookContent {
  readonly type: string;
  /** When it happened. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The body of a webhook, built from the stored event alone so that every attempt sends the same bytes. */
export const webhookBody = ({ type, timestamp, data }: WebhookContent) => ({ type, timestamp, data });
