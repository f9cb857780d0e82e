/** Pages of an account in the order of the navigation, by what people come to do. */
export const PAGE_GROUPS = [
  {
    heading: null,
    pages: [
      { to: '/', label: 'Overview' },
      { to: '/playground', label: 'Playground' },
      { to: '/logs', label: 'Logs' },
      { to: '/bulk', label: 'Bulk' },
    ],
  },
  {
    heading: 'Set up',
    pages: [
      { to: '/keys', label: 'Keys' },
      { to: '/lists', label: 'Lists' },
      { to: '/policies', label: 'Policies' },
      { to: '/hooks', label: 'Hooks' },
      { to: '/webhooks', label: 'Webhooks' },
      { to: '/docs', label: 'Docs' },
    ],
  },
  {
    heading: 'Account',
    pages: [
      { to: '/usage', label: 'Usage' },
      { to: '/billing', label: 'Billing' },
      { to: '/audit', label: 'Audit' },
      { to: '/account', label: 'Account' },
    ],
  },
] as const;

export const ACCOUNT_PAGES = PAGE_GROUPS.flatMap(({ pages }) => [...pages]);

export const OPERATOR_PAGES = [
  { to: '/operator/accounts', label: 'Accounts' },
  { to: '/operator/plan-requests', label: 'Plan requests' },
  { to: '/operator/months', label: 'Months' },
  { to: '/operator/system', label: 'System' },
] as const;

/** Pages that people reach without the navigation. */
const OTHER_PAGES = [
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/activate',
  '/confirm-address',
  '/refused',
];

const firstPart = (path: string): string => path.split('/')[1] ?? '';

/** The first part of every address that the web application has a page for. */
export const PAGES: ReadonlySet<string> = new Set(
  [...[...ACCOUNT_PAGES, ...OPERATOR_PAGES].map(({ to }) => to), ...OTHER_PAGES].map(firstPart),
);

export const isPage = (path: string): boolean => PAGES.has(firstPart(path));
