import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNow } from '../../ui/format/use-now.ts';
import panel from '../../ui/page/Panel.module.css';
import { endOf, minuteOf } from './end-time.ts';
import { MakeLiveDialog } from './MakeLiveDialog.tsx';
import classes from './PoliciesPage.module.css';
import type { KeyName } from './rule-sentence.ts';
import { LIVE_TEXTS, VERSIONS_TEXTS as TEXTS } from './texts.ts';
import { usePolicy } from './use-policy.ts';

/** Reminds of a live version that was meant for some hours, with the way back. */
export function EndReminder({ live, keyName }: { live: number; keyName: KeyName }) {
  const { policy } = usePolicy(live);
  const [asked, setAsked] = useState(false);
  const now = useNow();
  const meant = endOf(policy?.note ?? null);
  if (!meant) return null;
  const { end, back } = meant;
  const say = end.getTime() > now ? TEXTS.ends : TEXTS.ended;
  return (
    <div className={`${panel.danger} ${classes.reminder}`} role="status">
      <p>{say(minuteOf(end), live)}</p>
      <Button variant="default" size="xs" onClick={() => setAsked(true)}>
        {LIVE_TEXTS.back(back)}
      </Button>
      {asked && (
        <MakeLiveDialog version={back} live={live} keyName={keyName} onClose={() => setAsked(false)} />
      )}
    </div>
  );
}
