import { Checkbox, TextInput } from '@mantine/core';
import type { WebhookEndpoint, WebhookEventType } from '../../api/webhooks.ts';
import { fieldError } from '../../ui/error/field-error.ts';
import classes from './EndpointFields.module.css';
import { EVENT_TYPES, USUAL_EVENT_TYPES } from './event-types.ts';
import { EVENT_TEXTS } from './texts.ts';

/** The fields of an endpoint; endpointOf reads them. */
export function EndpointFields({ of, error }: { of?: WebhookEndpoint; error: unknown }) {
  const chosen: readonly string[] = of?.events ?? USUAL_EVENT_TYPES;
  return (
    <>
      <TextInput
        label="URL"
        description="Starts with https://. Redirects are not followed."
        type="url"
        name="url"
        error={fieldError(error, 'url', 'URL')}
        defaultValue={of?.url ?? ''}
        maxLength={2048}
        required
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <TextInput
        label="Note (optional)"
        description="The receiver, such as “Billing, production”."
        name="description"
        defaultValue={of?.description ?? ''}
        maxLength={200}
        autoComplete="off"
      />
      <fieldset className={classes.events}>
        <legend>Events</legend>
        {EVENT_TYPES.map((type) => (
          <Checkbox
            key={type}
            name="events"
            value={type}
            label={<code>{type}</code>}
            description={EVENT_TEXTS[type]}
            defaultChecked={chosen.includes(type)}
          />
        ))}
      </fieldset>
    </>
  );
}

export const endpointOf = (form: FormData) => ({
  url: String(form.get('url')).trim(),
  description: String(form.get('description')).trim() || null,
  events: form.getAll('events') as WebhookEventType[],
});
