import { NativeSelect } from '@mantine/core';
import type { Role } from '@verdict/domain/role.js';
import { useState } from 'react';
import { ROLE_HINTS, ROLE_NAMES, rolesFor, MEMBERS_TEXTS as TEXTS } from './texts.ts';

/** The choice of a role, with what the chosen one may do; roleOf reads it. */
export function RoleField({ own, present }: { own: Role; present: Role }) {
  const [chosen, setChosen] = useState(present);
  const roles = rolesFor(own);
  return (
    <NativeSelect
      label={TEXTS.role}
      description={ROLE_HINTS[chosen]}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      name="role"
      value={chosen}
      onChange={({ currentTarget }) =>
        setChosen(roles.find((role) => role === currentTarget.value) ?? present)
      }
      data={roles.map((value) => ({ value, label: ROLE_NAMES[value] }))}
    />
  );
}

export const roleOf = (form: FormData, own: Role): Role =>
  rolesFor(own).find((role) => role === form.get('role')) ?? 'analyst';
