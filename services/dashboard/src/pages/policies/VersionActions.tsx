import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Policy } from '../../api/policies.ts';
import { useMay } from '../../shell/use-may.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { MakeLiveDialog } from './MakeLiveDialog.tsx';
import type { KeyName } from './rule-sentence.ts';
import { VERSIONS_TEXTS as TEXTS } from './texts.ts';
import { useShadow } from './use-shadow.ts';
import { VersionState } from './VersionState.tsx';

/** The state of the version shown, and what can be done with it. An older version than the live one is a way back. */
export function VersionActions({
  policy,
  live,
  keyName,
}: {
  policy: Policy;
  live: number | null;
  keyName: KeyName;
}) {
  const { version, state } = policy;
  const may = useMay();
  const shading = useShadow();
  const [asked, setAsked] = useState<number | null | undefined>(undefined);
  return (
    <Section
      title={`Version ${version}`}
      note={TEXTS.stateTexts[state]}
      aside={<VersionState state={state} />}
    >
      <div className={panel.stack}>
        {may('PUT /policies/live/') && (
          <div className={panel.row}>
            {state !== 'live' && (
              <Button size="xs" onClick={() => setAsked(version)}>
                {live !== null && version < live ? `Back to version ${version}` : 'Make live'}
              </Button>
            )}
            {state === 'idle' && (
              <Button
                variant="default"
                size="xs"
                loading={shading.isPending}
                onClick={() => shading.mutate(version)}
              >
                Run in shadow
              </Button>
            )}
            {live !== null && (
              <Button variant="default" size="xs" onClick={() => setAsked(null)}>
                Turn off
              </Button>
            )}
          </div>
        )}
        {live === null && (
          <p className={panel.note}>No version is live: every check keeps the decision of its score.</p>
        )}
      </div>
      {asked !== undefined && (
        <MakeLiveDialog version={asked} live={live} keyName={keyName} onClose={() => setAsked(undefined)} />
      )}
    </Section>
  );
}
