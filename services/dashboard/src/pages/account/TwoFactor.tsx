import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ME, SECOND_FACTOR, secondFactorQuery } from '../../api/account.ts';
import { call, type Reply } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { ShownOnceDialog } from '../../ui/dialog/ShownOnceDialog.tsx';
import { plural } from '../../ui/format/format.ts';
import { Loaded } from '../../ui/page/Loaded.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { PROOF_FIELDS, ProofFields, proofOf } from './ProofFields.tsx';
import { TWO_FACTOR_TEXTS as TEXTS } from './texts.ts';

const TwoFactorDialog = lazy(() => import('./TwoFactorDialog.tsx'));

type Asked = 'on' | 'off' | 'codes';

const CHANGED = [SECOND_FACTOR, ME];

export function TwoFactor() {
  const factor = useQuery(secondFactorQuery);
  return (
    <Section title="Two-factor authentication" note="Ask for a code from an authenticator app at login.">
      <Loaded query={factor} what="two-factor authentication" rows={1}>
        {(data) => <Factor factor={data} />}
      </Loaded>
    </Section>
  );
}

function Factor({ factor }: { factor: Reply<'GET /auth/second_factor/'> }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const changed = (next: readonly string[] | null) => {
    setAsked(null);
    setCodes(next);
    for (const queryKey of CHANGED) void client.invalidateQueries({ queryKey });
  };
  const { available, enabled, recovery_codes_left: left } = factor;
  return (
    <>
      <p className={panel.note}>
        {enabled
          ? `On. ${plural(left, 'recovery code')} left.`
          : available
            ? 'Off. Your password alone opens this account.'
            : 'Not available here: the server has no SECRETS_KEY.'}
      </p>
      <div className={panel.row} style={{ marginTop: 10 }}>
        {enabled ? (
          <>
            <Button variant="default" onClick={() => setAsked('codes')}>
              New recovery codes
            </Button>
            <Button variant="default" onClick={() => setAsked('off')}>
              Turn off
            </Button>
          </>
        ) : (
          available && <Button onClick={() => setAsked('on')}>{TEXTS.turnOn}</Button>
        )}
      </div>
      {asked === 'on' && (
        <Suspense fallback={null}>
          <TwoFactorDialog onDone={changed} onClose={() => setAsked(null)} />
        </Suspense>
      )}
      {(asked === 'off' || asked === 'codes') && (
        <ProvenDialog asked={asked} onDone={changed} onClose={() => setAsked(null)} />
      )}
      {codes && (
        <ShownOnceDialog
          title="Recovery codes"
          text="Each code works once if you lose your phone. Save them now; they are not shown again."
          value={codes.join('\n')}
          label="Recovery codes"
          stored="I have stored them"
          onClose={() => setCodes(null)}
        />
      )}
    </>
  );
}

/** Turns it off or makes new recovery codes, after the password and a code were given once more. */
function ProvenDialog({
  asked,
  onDone,
  onClose,
}: {
  asked: 'off' | 'codes';
  onDone: (recoveryCodes: readonly string[] | null) => void;
  onClose: () => void;
}) {
  const isOff = asked === 'off';
  const acting = useAction(
    async (form: FormData) => {
      const body = proofOf(form);
      if (!isOff) return (await call('POST /auth/second_factor/recovery_codes/', { body })).recovery_codes;
      await call('DELETE /auth/second_factor/', { body });
      return null;
    },
    { ...(isOff && { done: 'Two-factor authentication is off' }), then: onDone },
  );
  return (
    <FormDialog
      title={isOff ? 'Turn off two-factor authentication' : 'New recovery codes'}
      submit={isOff ? 'Turn off' : 'New recovery codes'}
      fields={PROOF_FIELDS}
      action={acting}
      onClose={onClose}
    >
      <p>{isOff ? 'Your password alone will open this account.' : 'Your current codes stop working.'}</p>
      <ProofFields secondFactor error={acting.error} />
    </FormDialog>
  );
}
