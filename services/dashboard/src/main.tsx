import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { session } from './api/session.ts';
import { router } from './router.tsx';
import './styles/mantine.css';
import './styles/tokens.css';
import './styles/base.css';
import { theme } from './theme.ts';

// A login or logout, in this tab or another, changes what the user may see.
session.subscribe(() => void router.invalidate());

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" autoClose={6000} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
