import { Menu } from '@mantine/core';
import type { Me } from '../api/account.ts';
import { switchAccount } from '../api/switch-account.ts';
import { IconCheck } from '../icons.tsx';
import { useAction } from '../ui/action/use-action.ts';
import classes from './Shell.module.css';

/** The accounts to switch between, for users of several. */
export function AccountItems({ me }: { me: Me }) {
  const switching = useAction(switchAccount, { failed: 'Could not switch' });
  if (me.accounts.length < 2) return null;
  return (
    <>
      <Menu.Label>Accounts</Menu.Label>
      {me.accounts.map(({ id, name, role }) => (
        <Menu.Item
          key={id}
          aria-current={id === me.account.id}
          rightSection={id === me.account.id ? <IconCheck size={14} /> : <small>{role}</small>}
          onClick={() => id !== me.account.id && switching.mutate(id)}
        >
          <span className={classes.account} title={name}>
            {name}
          </span>
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  );
}
