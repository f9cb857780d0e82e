import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteAccount, type Me } from '../../api/account.ts';
import { addressOf } from '../../api/call.ts';
import { session } from '../../api/session.ts';
import { ConfirmByName } from '../../ui/dialog/ConfirmByName.tsx';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { LEAVING_TEXTS as TEXTS } from './texts.ts';
import { PROOF_FIELDS, useProof } from './use-proof.tsx';

/** Taking one's data along, and leaving for good. */
export function Leaving({ me }: { me: Me }) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const deletion = useMutation({
    mutationFn: deleteAccount,
    onSuccess: async () => {
      await session.logOut();
      client.clear();
    },
  });
  const { proof, fields, clear } = useProof(me.user.second_factor, deletion.error);
  const close = () => {
    setAsking(false);
    clear();
    deletion.reset();
  };
  return (
    <>
      <Section title={TEXTS.title} note={TEXTS.note}>
        <DownloadButton
          from={addressOf('GET /dashboard/export/')}
          name="verdict-export.ndjson"
          label={TEXTS.export}
        />
      </Section>
      <Section title={TEXTS.danger}>
        <div className={panel.danger}>
          <p>{TEXTS.consequence}</p>
          <Button variant="outline" color="red" onClick={() => setAsking(true)}>
            {TEXTS.delete}
          </Button>
        </div>
      </Section>
      {asking && (
        <ConfirmByName
          title={TEXTS.delete}
          consequence={TEXTS.consequence}
          name={me.user.email}
          label={TEXTS.confirm}
          action={TEXTS.delete}
          acting={deletion}
          fields={PROOF_FIELDS}
          onConfirm={() => deletion.mutate(proof)}
          onClose={close}
        >
          {fields}
        </ConfirmByName>
      )}
    </>
  );
}
