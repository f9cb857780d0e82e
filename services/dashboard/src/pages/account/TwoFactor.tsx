import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import {
  meQuery,
  newRecoveryCodes,
  removeSecondFactor,
  SECOND_FACTOR,
  secondFactorQuery,
} from '../../api/account.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { ShownOnceDialog } from '../../ui/dialog/ShownOnceDialog.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { plural } from '../../ui/format/format.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { TWO_FACTOR_TEXTS as TEXTS } from './texts.ts';
import { PROOF_FIELDS, useProof } from './use-proof.tsx';

const TwoFactorDialog = lazy(() => import('./TwoFactorDialog.tsx'));

type Asked = 'on' | 'off' | 'codes';

export function TwoFactor() {
  const factor = useQuery(secondFactorQuery);
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const changed = async (next: readonly string[] | null) => {
    setAsked(null);
    setCodes(next);
    await Promise.all([
      client.invalidateQueries({ queryKey: SECOND_FACTOR }),
      client.invalidateQueries({ queryKey: meQuery.queryKey }),
    ]);
  };
  if (factor.error)
    return (
      <Section title={TEXTS.title}>
        <ErrorNotice error={factor.error} onRetry={() => void factor.refetch()} />
      </Section>
    );
  if (!factor.data)
    return (
      <Section title={TEXTS.title}>
        <SkeletonRows rows={1} label={TEXTS.loading} />
      </Section>
    );
  const { available, enabled, recovery_codes_left: left } = factor.data;
  return (
    <Section title={TEXTS.title} note={TEXTS.note}>
      <p className={panel.note}>
        {enabled ? TEXTS.isOn(plural(left, 'recovery code')) : available ? TEXTS.isOff : TEXTS.unavailable}
      </p>
      <div className={panel.row} style={{ marginTop: 10 }}>
        {enabled ? (
          <>
            <Button variant="default" onClick={() => setAsked('codes')}>
              {TEXTS.newCodes}
            </Button>
            <Button variant="default" onClick={() => setAsked('off')}>
              {TEXTS.turnOff}
            </Button>
          </>
        ) : (
          available && <Button onClick={() => setAsked('on')}>{TEXTS.turnOn}</Button>
        )}
      </div>
      {asked === 'on' && (
        <Suspense fallback={null}>
          <TwoFactorDialog onDone={(made) => void changed(made)} onClose={() => setAsked(null)} />
        </Suspense>
      )}
      {asked === 'off' && (
        <ProvenDialog
          title={TEXTS.offTitle}
          text={TEXTS.offText}
          action={TEXTS.turnOff}
          act={async (proof) => {
            await removeSecondFactor(proof);
            notifications.show({ message: TEXTS.offDone });
            await changed(null);
          }}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'codes' && (
        <ProvenDialog
          title={TEXTS.newCodes}
          text={TEXTS.newCodesText}
          action={TEXTS.newCodes}
          act={async (proof) => changed((await newRecoveryCodes(proof)).recovery_codes)}
          onClose={() => setAsked(null)}
        />
      )}
      {codes && (
        <ShownOnceDialog
          title={TEXTS.codes}
          text={TEXTS.codesText}
          value={codes.join('\n')}
          label={TEXTS.codes}
          stored={TEXTS.stored}
          onClose={() => setCodes(null)}
        />
      )}
    </Section>
  );
}

type Proof = ReturnType<typeof useProof>['proof'];

/** Does something after the password and a code were given once more. */
function ProvenDialog({
  title,
  text,
  action,
  act,
  onClose,
}: {
  title: string;
  text: string;
  action: string;
  act: (proof: Proof) => Promise<void>;
  onClose: () => void;
}) {
  const acting = useMutation({ mutationFn: act });
  const { proof, fields } = useProof(true, acting.error);
  return (
    <FormDialog
      title={title}
      submit={action}
      fields={PROOF_FIELDS}
      acting={acting}
      onSubmit={() => acting.mutate(proof)}
      onClose={onClose}
    >
      <p>{text}</p>
      {fields}
    </FormDialog>
  );
}
