import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../shell/lazy-page.ts';
import { root } from './root.ts';

/** The documentation, for everyone. */
const docs = createRoute({
  getParentRoute: () => root,
  path: '/docs',
  component: lazyPage(() => import('../pages/docs/DocsLayout.tsx'), 'DocsLayout'),
});

const docsIndex = createRoute({
  getParentRoute: () => docs,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/docs/$guide', params: { guide: 'quickstart' } });
  },
});

const guide = createRoute({
  getParentRoute: () => docs,
  path: '$guide',
  component: lazyPage(() => import('../pages/docs/GuidePage.tsx'), 'GuidePage'),
});

const reference = createRoute({
  getParentRoute: () => docs,
  path: 'reference',
  component: lazyPage(() => import('../pages/reference/ReferencePage.tsx'), 'ReferencePage'),
});

export const docsRoutes = docs.addChildren([docsIndex, guide, reference]);
