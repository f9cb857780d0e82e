import type { Section } from '@verdict/contracts/pages.js';
import {
  IconCode,
  IconCreditCard,
  IconFileSpreadsheet,
  IconLayoutDashboard,
  IconListSearch,
  IconScale,
  IconSettings2,
} from '../icons.tsx';

/** The icon of every entry of the navigation. */
export const SECTION_ICONS: Readonly<Record<Section['label'], typeof IconScale>> = {
  Overview: IconLayoutDashboard,
  Checks: IconListSearch,
  Bulk: IconFileSpreadsheet,
  Rules: IconScale,
  Developers: IconCode,
  Billing: IconCreditCard,
  Settings: IconSettings2,
};
