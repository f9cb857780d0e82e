import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Me } from '../../api/account.ts';
import { addressOf, call } from '../../api/call.ts';
import { session } from '../../api/session.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ConfirmByName } from '../../ui/dialog/ConfirmByName.tsx';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { PersonFile } from './PersonFile.tsx';
import { PROOF_FIELDS, ProofFields, proofOf } from './ProofFields.tsx';
import { LEAVING_TEXTS as TEXTS } from './texts.ts';

/** Taking one's data along, and leaving for good. */
export function Leaving({ me }: { me: Me }) {
  const [asking, setAsking] = useState(false);
  const deletion = useAction((form: FormData) => call('DELETE /auth/users/me/', { body: proofOf(form) }), {
    then: () => session.logOut(),
  });
  const close = () => {
    setAsking(false);
    deletion.reset();
  };
  return (
    <>
      <Section title="Your data" note="Everything stored about this account, as JSON Lines.">
        <DownloadButton
          from={addressOf('GET /dashboard/export/')}
          name="verdict-export.ndjson"
          label="Export everything"
        />
      </Section>
      <PersonFile />
      <Section title="Danger zone">
        <div className={panel.danger}>
          <p>{TEXTS.consequence}</p>
          <Button variant="outline" color="red" onClick={() => setAsking(true)}>
            Delete account
          </Button>
        </div>
      </Section>
      {asking && (
        <ConfirmByName
          title="Delete account"
          consequence={TEXTS.consequence}
          name={me.user.email}
          label="Email address of the account"
          submit="Delete account"
          action={deletion}
          fields={PROOF_FIELDS}
          onClose={close}
        >
          <ProofFields secondFactor={me.user.second_factor} error={deletion.error} />
        </ConfirmByName>
      )}
    </>
  );
}
