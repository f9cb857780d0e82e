import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '../icons.tsx';
import { SHELL_TEXTS as TEXTS } from './texts.ts';

const SCHEMES: readonly { value: MantineColorScheme; label: string; icon: typeof IconSun }[] = [
  { value: 'light', label: TEXTS.light, icon: IconSun },
  { value: 'dark', label: TEXTS.dark, icon: IconMoon },
  { value: 'auto', label: TEXTS.auto, icon: IconDeviceDesktop },
];

export function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <>
      <Menu.Label>{TEXTS.scheme}</Menu.Label>
      {SCHEMES.map(({ value, label, icon: Icon }) => (
        <Menu.Item
          key={value}
          role="menuitemradio"
          aria-checked={colorScheme === value}
          leftSection={<Icon size={15} />}
          rightSection={colorScheme === value ? <IconCheck size={14} /> : null}
          onClick={() => setColorScheme(value)}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  );
}
