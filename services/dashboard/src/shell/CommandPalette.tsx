import { Modal, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { meQuery } from '../api/account.ts';
import { keysQuery } from '../api/keys.ts';
import classes from './CommandPalette.module.css';
import { type Command, findCommands } from './find-commands.ts';
import { SHELL_TEXTS as TEXTS } from './texts.ts';

/** Jumps to a page, a key, an address or an id by typing it. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const keys = useQuery(keysQuery);
  const list = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { data: me } = useQuery(meQuery);
  const usable = keys.data?.keys.filter(({ status }) => status !== 'revoked') ?? [];
  const commands = findCommands(text, usable, me?.account.role ?? 'owner');
  const chosen = Math.min(at, commands.length - 1);
  const optionId = (index: number) => `${list}-${index}`;
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    void router.navigate({ href: command.href });
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((chosen + step + commands.length) % Math.max(1, commands.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(commands[chosen]);
    }
  };
  return (
    <Modal opened onClose={onClose} title="Command palette" size={560} yOffset="12vh">
      <TextInput
        aria-label={TEXTS.paletteField}
        placeholder={TEXTS.paletteField}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded={commands.length > 0}
        aria-controls={list}
        {...(commands.length > 0 ? { 'aria-activedescendant': optionId(chosen) } : {})}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      {commands.length === 0 ? (
        <p className={classes.none} role="status">
          No matching page or key. Enter a whole address, domain, IP or id to search the checks.
        </p>
      ) : (
        <div id={list} className={classes.list} role="listbox" aria-label="Command palette">
          {commands.map((command, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input above takes the keys
            <div
              key={command.href}
              id={optionId(index)}
              className={classes.option}
              role="option"
              aria-selected={index === chosen}
              tabIndex={-1}
              ref={(option) => {
                if (index === chosen) option?.scrollIntoView({ block: 'nearest' });
              }}
              onClick={() => run(command)}
              onPointerMove={() => setAt(index)}
            >
              <bdi>{command.label}</bdi>
              <small>{command.kind}</small>
            </div>
          ))}
        </div>
      )}
    </Modal>
  );
}
