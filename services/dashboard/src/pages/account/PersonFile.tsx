import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { addressOf } from '../../api/call.ts';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';

/** Answers a person who asks the customer what is kept of them. */
export function PersonFile() {
  const [email, setEmail] = useState('');
  return (
    <Section
      title="Data of one person"
      note="Everything your account keeps of an address, as JSON Lines, for a person who asks you. Contact support to erase it."
    >
      <div className={panel.row}>
        <TextInput
          aria-label="Address of the person"
          placeholder="jane@example.com"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          maxLength={512}
          autoComplete="off"
          spellCheck={false}
        />
        <DownloadButton
          from={addressOf('POST /dashboard/subject.ndjson', { body: { email } })}
          name="verdict-subject.ndjson"
          label="Save file"
        />
      </div>
    </Section>
  );
}
