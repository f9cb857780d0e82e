import { Button, Modal, TextInput } from '@mantine/core';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import dialog from '../../ui/dialog/Dialog.module.css';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { PROOF_FIELDS, ProofFields, proofOf } from './ProofFields.tsx';
import { QrCode } from './QrCode.tsx';
import { TWO_FACTOR_TEXTS as TEXTS } from './texts.ts';

/** The password, then the secret for the app, then its first code. */
export default function TwoFactorDialog({
  onDone,
  onClose,
}: {
  onDone: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}) {
  const offering = useAction((form: FormData) => call('POST /auth/second_factor/', { body: proofOf(form) }));
  const confirming = useAction(
    (form: FormData) =>
      call('POST /auth/second_factor/confirm/', { body: { otp: String(form.get('first')).trim() } }),
    { then: ({ recovery_codes }) => onDone(recovery_codes) },
  );
  const offer = offering.data;
  const step = offer ? confirming : offering;
  return (
    <Modal opened onClose={onClose} title="Turn on two-factor authentication" closeOnClickOutside={false}>
      <form
        className={dialog.form}
        onSubmit={(event) => {
          event.preventDefault();
          step.mutate(new FormData(event.currentTarget));
        }}
      >
        {offer ? (
          <>
            <p>Scan this with your authenticator app, or type the secret into it.</p>
            <QrCode text={offer.uri} label="QR code for an authenticator app" />
            <CodeBlock code={offer.secret} label="Secret" />
            <TextInput
              label="Six-digit code"
              name="first"
              autoComplete="one-time-code"
              inputMode="numeric"
              error={fieldError(confirming.error, 'otp', 'Six-digit code')}
              required
              data-autofocus
            />
          </>
        ) : (
          <ProofFields secondFactor={false} error={offering.error} />
        )}
        {step.error && <ErrorNotice error={step.error} fields={PROOF_FIELDS} />}
        <div className={dialog.actions}>
          <Button type="submit" loading={step.isPending}>
            {offer ? TEXTS.turnOn : 'Continue'}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
