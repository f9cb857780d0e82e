import type { ACCOUNT_PAGES } from '@verdict/contracts/pages.js';
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

/** The icon of every page in the navigation. */
export const PAGE_ICONS: Readonly<Record<(typeof ACCOUNT_PAGES)[number]['to'], typeof IconKey>> = {
  '/': IconLayoutDashboard,
  '/playground': IconTestPipe,
  '/logs': IconListSearch,
  '/bulk': IconFileSpreadsheet,
  '/keys': IconKey,
  '/lists': IconListCheck,
  '/policies': IconScale,
  '/hooks': IconDoorEnter,
  '/webhooks': IconWebhook,
  '/docs': IconBook2,
  '/usage': IconChartBar,
  '/billing': IconCreditCard,
  '/audit': IconHistory,
  '/account': IconUserCircle,
};
