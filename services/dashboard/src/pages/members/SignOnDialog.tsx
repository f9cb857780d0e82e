import { Checkbox, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { SSO_ROLES } from '@verdict/domain/role.js';
import { call } from '../../api/call.ts';
import { SSO, type Sso } from '../../api/sso.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { ROLE_NAMES, SIGN_ON_TEXTS as TEXTS } from './texts.ts';

const FIELDS = ['issuer', 'client_id', 'client_secret', 'domains', 'enforce'];

/** Sets up single sign-on, or changes it. */
export function SignOnDialog({
  of,
  callback,
  onClose,
}: {
  of: Sso | null;
  callback: string;
  onClose: () => void;
}) {
  const saving = useAction(
    (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? '').trim();
      const secret = text('client_secret');
      return call('PUT /dashboard/sso/', {
        body: {
          issuer: text('issuer'),
          client_id: text('client_id'),
          ...(secret && { client_secret: secret }),
          domains: text('domains')
            .split(/[\s,]+/)
            .filter((domain) => domain !== ''),
          default_role: SSO_ROLES.find((role) => role === text('default_role')) ?? 'analyst',
          enforce: form.get('enforce') !== null,
        },
      });
    },
    { stale: [SSO], done: 'Single sign-on saved', then: onClose },
  );
  const errorOf = (field: string, label: string) => fieldError(saving.error, field, label);
  return (
    <FormDialog title={TEXTS.title} submit="Save" fields={FIELDS} action={saving} onClose={onClose}>
      <div>
        Register Verdict at your provider with this redirect URI:{' '}
        <CopyId id={`${window.location.origin}${callback}`} whole />
      </div>
      <TextInput
        label={TEXTS.issuer}
        description="URL of your provider, beginning with https://"
        name="issuer"
        type="url"
        defaultValue={of?.issuer}
        error={errorOf('issuer', TEXTS.issuer)}
        required
        data-autofocus
      />
      <TextInput
        label={TEXTS.clientId}
        name="client_id"
        defaultValue={of?.client_id}
        error={errorOf('client_id', TEXTS.clientId)}
        required
        autoComplete="off"
      />
      <PasswordInput
        label={TEXTS.clientSecret}
        {...(of && { description: 'Leave empty to keep the present one.' })}
        name="client_secret"
        error={errorOf('client_secret', TEXTS.clientSecret)}
        required={of === null}
        autoComplete="off"
      />
      <Textarea
        label={TEXTS.domains}
        description="People with addresses of these domains log in at your provider. One a line."
        name="domains"
        rows={2}
        defaultValue={of?.domains.map(({ domain }) => domain).join('\n')}
        error={errorOf('domains', TEXTS.domains)}
        required
      />
      <NativeSelect
        label={TEXTS.defaultRole}
        description="For people who log in for the first time."
        name="default_role"
        defaultValue={of?.default_role ?? 'analyst'}
        data={SSO_ROLES.map((value) => ({ value, label: ROLE_NAMES[value] }))}
      />
      <Checkbox
        label="Require single sign-on"
        description="Ends the password logins of everyone but owners."
        name="enforce"
        defaultChecked={of?.enforce ?? false}
        error={errorOf('enforce', 'This')}
      />
    </FormDialog>
  );
}
