import type { OperatorRole, Role } from '@verdict/domain/role.js';
import { type Guarded, may, mayOperate } from './routes/rights.js';

/** The entries of the navigation, by what people come to do, and the tabs of each. The first tab opens. */
export const SECTIONS = [
  { label: 'Overview', tabs: [{ to: '/', label: 'Overview' }] },
  {
    label: 'Checks',
    tabs: [
      { to: '/checks', label: 'Checks' },
      { to: '/checks/review', label: 'Review' },
      { to: '/checks/second-looks', label: 'Second looks' },
      { to: '/checks/refused', label: 'Refused requests' },
    ],
  },
  { label: 'Bulk', tabs: [{ to: '/bulk', label: 'Bulk' }] },
  {
    label: 'Rules',
    tabs: [
      { to: '/rules/lists', label: 'Lists' },
      { to: '/rules/policies', label: 'Policies' },
      { to: '/rules/scoring', label: 'Scoring' },
    ],
  },
  {
    label: 'Developers',
    tabs: [
      { to: '/developers/keys', label: 'Keys' },
      { to: '/developers/webhooks', label: 'Webhooks' },
      { to: '/developers/hooks', label: 'Hooks' },
      { to: '/docs', label: 'Docs' },
    ],
  },
  {
    label: 'Billing',
    tabs: [
      { to: '/billing/usage', label: 'Usage' },
      { to: '/billing', label: 'Plan and invoices' },
    ],
  },
  {
    label: 'Settings',
    tabs: [
      { to: '/settings/account', label: 'Account' },
      { to: '/settings/members', label: 'Members' },
      { to: '/settings/audit', label: 'Audit' },
    ],
  },
] as const;

export type Section = (typeof SECTIONS)[number];
export type Tab = Section['tabs'][number];

/** The page behind the button of the same name. */
export const CHECK_ADDRESS = { to: '/checks/new', label: 'Check an address' } as const;

export const ACCOUNT_PAGES = [...SECTIONS.flatMap(({ tabs }): readonly Tab[] => tabs), CHECK_ADDRESS];

export type AccountPage = (typeof ACCOUNT_PAGES)[number]['to'];

/** The route that each page is for: who may call it sees the page. Null for pages that call none. */
const SERVES: Readonly<Record<AccountPage, Guarded | null>> = {
  '/': 'GET /dashboard/overview/',
  '/checks': 'GET /dashboard/logs/',
  '/checks/new': 'POST /check/',
  '/checks/review': 'GET /dashboard/review/',
  '/checks/second-looks': 'GET /dashboard/revisions/',
  '/checks/refused': 'GET /dashboard/logs/refused/',
  '/bulk': 'POST /jobs/',
  '/rules/lists': 'GET /lists/allow/',
  '/rules/policies': 'GET /policies/',
  '/rules/scoring': 'GET /dashboard/settings/',
  '/developers/keys': 'POST /dashboard/keys/',
  '/developers/webhooks': 'GET /webhooks/endpoints/',
  '/developers/hooks': 'GET /dashboard/hooks/',
  '/docs': null,
  '/billing/usage': 'GET /dashboard/usage/',
  '/billing': 'GET /billing/invoices/',
  '/settings/account': 'GET /auth/users/me/',
  '/settings/members': 'GET /members/',
  '/settings/audit': 'GET /dashboard/audit/',
};

export function mayOpen(role: Role, page: AccountPage): boolean {
  const served = SERVES[page];
  return served === null || may(role, served);
}

/** The entries and tabs that a role opens. An entry without one is left out. */
export const sectionsFor = (role: Role) =>
  SECTIONS.flatMap(({ label, tabs: all }) => {
    const every: readonly Tab[] = all;
    const tabs = every.filter(({ to }) => mayOpen(role, to));
    const [first] = tabs;
    return first ? [{ label, tabs, to: first.to }] : [];
  });

/** The page that a role begins with. */
export const firstPageOf = (role: Role): (typeof ACCOUNT_PAGES)[number] =>
  ACCOUNT_PAGES.find(({ to }) => SERVES[to] !== null && mayOpen(role, to)) ?? CHECK_ADDRESS;

export const OPERATOR_PAGES = [
  { to: '/operator/accounts', label: 'Accounts', serves: 'GET /operator/accounts/' },
  { to: '/operator/plan-requests', label: 'Plan requests', serves: 'GET /operator/plan-requests/' },
  { to: '/operator/months', label: 'Months', serves: 'GET /operator/months/' },
  { to: '/operator/system', label: 'System', serves: 'GET /operator/system/' },
] as const;

/** The tabs of the operator area that a role opens. */
export const operatorPagesFor = (role: OperatorRole) =>
  OPERATOR_PAGES.filter(({ serves }) => mayOperate(role, serves));

/** Pages that people reach without the navigation. */
const OTHER_PAGES = [
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/activate',
  '/confirm-address',
  '/join',
  '/sso',
];

/** Addresses of earlier releases, which bookmarks and sent mails still hold, and where their pages are now. */
const MOVED = new Map<string, string>([
  ['playground', '/checks/new'],
  ['logs', '/checks'],
  ['refused', '/checks/refused'],
  ['lists', '/rules/lists'],
  ['policies', '/rules/policies'],
  ['keys', '/developers/keys'],
  ['webhooks', '/developers/webhooks'],
  ['hooks', '/developers/hooks'],
  ['usage', '/billing/usage'],
  ['account', '/settings/account'],
  ['audit', '/settings/audit'],
]);

const firstPart = (path: string): string => path.split('/')[1] ?? '';

/** The first part of every address that the web application has a page for. */
export const PAGES: ReadonlySet<string> = new Set(
  [...[...ACCOUNT_PAGES, ...OPERATOR_PAGES].map(({ to }) => to), ...OTHER_PAGES].map(firstPart),
);

export const isPage = (path: string): boolean => PAGES.has(firstPart(path)) || MOVED.has(firstPart(path));

/** Where an address of an earlier release leads now, with the rest of its path, or null if it never moved. */
export function movedTo(path: string): string | null {
  const first = firstPart(path);
  const to = MOVED.get(first);
  return to === undefined ? null : to + path.slice(first.length + 1).replace(/\/$/, '');
}

const isAt = (path: string, to: string): boolean => path === to || (to !== '/' && path.startsWith(`${to}/`));

/** The entry and the tab that an address belongs to: the longest that its path begins with. */
export function placeOf(path: string): { section: Section; tab: Tab } | null {
  let place: { section: Section; tab: Tab } | null = null;
  for (const section of SECTIONS) {
    for (const tab of section.tabs) {
      if (isAt(path, tab.to) && tab.to.length > (place?.tab.to.length ?? 0)) place = { section, tab };
    }
  }
  return place;
}
