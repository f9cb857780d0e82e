import { Button, Menu } from '@mantine/core';
import classes from './PoliciesPage.module.css';
import { PRESETS, type Preset } from './presets.ts';

/** Rules to begin with. */
export function PresetMenu({ onChoose }: { onChoose: (preset: Preset) => void }) {
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <Button variant="default">Add a preset</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {PRESETS.map((preset) => (
          <Menu.Item key={preset.name} onClick={() => onChoose(preset)}>
            {preset.name}
            <span className={classes.presetText}>{preset.text}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
