import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { endpointsQuery } from '../../api/webhooks.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Deliveries } from './Deliveries.tsx';
import { EndpointDialog } from './EndpointDialog.tsx';
import { Endpoints } from './Endpoints.tsx';
import { type NewSecret, NewSecretDialog } from './NewSecretDialog.tsx';
import { WEBHOOKS_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/developers/webhooks');

export function WebhooksPage() {
  const search = route.useSearch();
  const endpoints = useQuery(endpointsQuery);
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const { endpoints: all = [], endpoints_max: max = 0 } = endpoints.data ?? {};
  const full = endpoints.data !== undefined && all.length >= max;
  const add = (
    <Button
      onClick={() => setAdding(true)}
      disabled={full}
      {...(full ? { title: `All ${max} endpoints are in use. Delete one to add another.` } : {})}
    >
      {TEXTS.add}
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        intro="Signed POST requests when something happens, retried until delivered. They carry ids and numbers, never addresses."
      >
        {add}
      </PageHeader>
      <Endpoints onNewSecret={setSecret} onAdd={() => setAdding(true)} />
      {!endpoints.isPending && <Deliveries search={search} endpoints={all} />}
      {adding && <EndpointDialog onClose={() => setAdding(false)} onAdded={setSecret} />}
      {secret && <NewSecretDialog made={secret} onClose={() => setSecret(null)} />}
      <Outlet />
    </>
  );
}
