import { Button, Menu, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import classes from './PoliciesPage.module.css';
import { PRESETS, type Preset } from './presets.ts';
import { PRESET_TEXTS as TEXTS } from './texts.ts';

const HOUR_MS = 3_600_000;

/** Rules to begin with. One that is meant for some hours asks until when. */
export function PresetMenu({ onChoose }: { onChoose: (preset: Preset, end: Date | null) => void }) {
  const [asked, setAsked] = useState<Preset | null>(null);
  return (
    <>
      <Menu position="bottom-end" width={320}>
        <Menu.Target>
          <Button variant="default">{TEXTS.add}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {PRESETS.map((preset) => (
            <Menu.Item
              key={preset.name}
              onClick={() => (preset.ends ? setAsked(preset) : onChoose(preset, null))}
            >
              {preset.name}
              <span className={classes.presetText}>{preset.text}</span>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <FormDialog
          title={asked.name}
          submit={TEXTS.submit}
          acting={{ isPending: false, error: null }}
          onSubmit={(form) => {
            setAsked(null);
            onChoose(asked, new Date(Date.now() + Number(form.get('hours')) * HOUR_MS));
          }}
          onClose={() => setAsked(null)}
        >
          <NativeSelect
            label={TEXTS.until}
            name="hours"
            defaultValue="24"
            data={TEXTS.hours}
            data-autofocus
          />
          <p>{TEXTS.endText}</p>
        </FormDialog>
      )}
    </>
  );
}
