import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Sso, ssoQuery } from '../../api/sso.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { RemoveSignOn } from './RemoveSignOn.tsx';
import { SignOnDialog } from './SignOnDialog.tsx';
import { SignOnDomains } from './SignOnDomains.tsx';
import { ROLE_NAMES, SIGN_ON_TEXTS as TEXTS } from './texts.ts';

/** The identity provider that members log in with, for owners. */
export function SingleSignOn() {
  const query = useQuery(ssoQuery);
  const [editing, setEditing] = useState(false);
  const { sso = null, available = true, callback = '' } = query.data ?? {};
  return (
    <Section
      title={TEXTS.title}
      note={
        <>
          Members log in at your company’s identity provider, such as Entra, Google, Okta or Keycloak.{' '}
          <Link to="/docs/$guide" params={{ guide: 'team' }}>
            Read how
          </Link>
        </>
      }
      aside={
        <Button variant="default" disabled={!query.data || !available} onClick={() => setEditing(true)}>
          {sso ? 'Edit' : TEXTS.setUp}
        </Button>
      }
    >
      <Loaded query={query} what="single sign-on" rows={2}>
        {() =>
          sso ? (
            <>
              <Facts facts={factsOf(sso)} />
              <SignOnDomains sso={sso} />
              <RemoveSignOn />
            </>
          ) : (
            <p>
              {available
                ? 'Off. Members log in with a password.'
                : 'Not available: this server has no key to encrypt secrets. Ask its operator.'}
            </p>
          )
        }
      </Loaded>
      {editing && <SignOnDialog of={sso} callback={callback} onClose={() => setEditing(false)} />}
    </Section>
  );
}

const factsOf = ({ issuer, client_id, default_role, enforce }: Sso) =>
  [
    [TEXTS.issuer, issuer],
    [TEXTS.clientId, client_id],
    [TEXTS.defaultRole, ROLE_NAMES[default_role]],
    ['Passwords', enforce ? 'Owners only' : 'Allowed'],
  ] as const;
