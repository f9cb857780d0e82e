import {
  IconBook2,
  IconChartBar,
  IconCreditCard,
  IconFileSpreadsheet,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListCheck,
  IconListSearch,
  IconTestPipe,
  IconUserCircle,
  IconWebhook,
} from '../icons.tsx';

/** The pages in the order of the navigation. */
export const NAVIGATION = [
  { to: '/', label: 'Overview', icon: IconLayoutDashboard },
  { to: '/playground', label: 'Playground', icon: IconTestPipe },
  { to: '/logs', label: 'Logs', icon: IconListSearch },
  { to: '/bulk', label: 'Bulk', icon: IconFileSpreadsheet },
  { to: '/keys', label: 'Keys', icon: IconKey },
  { to: '/lists', label: 'Lists', icon: IconListCheck },
  { to: '/webhooks', label: 'Webhooks', icon: IconWebhook },
  { to: '/usage', label: 'Usage', icon: IconChartBar },
  { to: '/billing', label: 'Billing', icon: IconCreditCard },
  { to: '/audit', label: 'Audit', icon: IconHistory },
  { to: '/account', label: 'Account', icon: IconUserCircle },
  { to: '/docs', label: 'Docs', icon: IconBook2 },
] as const;
