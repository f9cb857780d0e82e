import {
  IconBook2,
  IconChartBar,
  IconCreditCard,
  IconDoorEnter,
  IconFileSpreadsheet,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListCheck,
  IconListSearch,
  IconScale,
  IconTestPipe,
  IconUserCircle,
  IconWebhook,
} from '../icons.tsx';

/** The pages in the order of the navigation, by what people come to do. */
export const NAVIGATION_GROUPS = [
  {
    heading: null,
    pages: [
      { to: '/', label: 'Overview', icon: IconLayoutDashboard },
      { to: '/playground', label: 'Playground', icon: IconTestPipe },
      { to: '/logs', label: 'Logs', icon: IconListSearch },
      { to: '/bulk', label: 'Bulk', icon: IconFileSpreadsheet },
    ],
  },
  {
    heading: 'Set up',
    pages: [
      { to: '/keys', label: 'Keys', icon: IconKey },
      { to: '/lists', label: 'Lists', icon: IconListCheck },
      { to: '/policies', label: 'Policies', icon: IconScale },
      { to: '/hooks', label: 'Hooks', icon: IconDoorEnter },
      { to: '/webhooks', label: 'Webhooks', icon: IconWebhook },
      { to: '/docs', label: 'Docs', icon: IconBook2 },
    ],
  },
  {
    heading: 'Account',
    pages: [
      { to: '/usage', label: 'Usage', icon: IconChartBar },
      { to: '/billing', label: 'Billing', icon: IconCreditCard },
      { to: '/audit', label: 'Audit', icon: IconHistory },
      { to: '/account', label: 'Account', icon: IconUserCircle },
    ],
  },
] as const;

export const NAVIGATION = NAVIGATION_GROUPS.flatMap(({ pages }) => [...pages]);
