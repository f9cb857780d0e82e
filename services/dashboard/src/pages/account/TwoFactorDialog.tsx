import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmSecondFactor, offerSecondFactor } from '../../api/account.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import dialog from '../../ui/dialog/Dialog.module.css';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { QrCode } from './QrCode.tsx';
import { TWO_FACTOR_TEXTS as TEXTS } from './texts.ts';
import { PROOF_FIELDS, useProof } from './use-proof.tsx';

/** The password, then the secret for the app, then its first code. */
export default function TwoFactorDialog({
  onDone,
  onClose,
}: {
  onDone: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}) {
  const [otp, setOtp] = useState('');
  const offering = useMutation({ mutationFn: offerSecondFactor });
  const { proof, fields } = useProof(false, offering.error);
  const confirming = useMutation({
    mutationFn: () => confirmSecondFactor(otp.trim()),
    onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
  });
  const offer = offering.data;
  return (
    <Modal opened onClose={onClose} title={TEXTS.onTitle} closeOnClickOutside={false}>
      <form
        className={dialog.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (offer) confirming.mutate();
          else offering.mutate(proof);
        }}
      >
        {offer ? (
          <>
            <p>{TEXTS.scan}</p>
            <QrCode text={offer.uri} label={TEXTS.qr} />
            <CodeBlock code={offer.secret} label={TEXTS.secret} />
            <TextInput
              label={TEXTS.first}
              autoComplete="one-time-code"
              inputMode="numeric"
              error={fieldError(confirming.error, 'otp', TEXTS.first)}
              value={otp}
              onChange={(event) => setOtp(event.currentTarget.value)}
              required
              data-autofocus
            />
            {confirming.error && <ErrorNotice error={confirming.error} fields={PROOF_FIELDS} />}
          </>
        ) : (
          <>
            {fields}
            {offering.error && <ErrorNotice error={offering.error} fields={PROOF_FIELDS} />}
          </>
        )}
        <div className={dialog.actions}>
          <Button type="submit" loading={offering.isPending || confirming.isPending}>
            {offer ? TEXTS.turnOn : TEXTS.next}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
