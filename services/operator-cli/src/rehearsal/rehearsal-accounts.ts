/** A plan that is chosen on a day of one of the three months. */
interface PlannedChange {
  readonly month: 0 | 1 | 2;
  readonly day: number | 'last';
  readonly plan: string;
}

export interface RehearsalAccount {
  readonly name: string;
  readonly plan: string;
  readonly checksPerDay: number;
  readonly address?: string;
  readonly taxId?: string;
  /** Percent x 100. */
  readonly taxRate?: number;
  readonly taxNote?: string;
  readonly changes?: readonly PlannedChange[];
  /** Checks of the month that arrive after it was closed. */
  readonly late?: { readonly month: 0 | 1; readonly checks: number };
  readonly adjustment?: {
    readonly month: 0 | 1 | 2;
    readonly kind: 'adjustment' | 'credit';
    readonly checks?: number;
    readonly amount?: number;
    readonly reason: string;
  };
}

const GERMAN = { taxRate: 1900, taxNote: 'VAT' };
const ABROAD = { taxNote: 'Reverse charge' };
const EXPORTED = { taxNote: 'Not taxable in Germany' };

/** A dozen customers in whom everything happens that a month's end has to get right. */
export const REHEARSAL_ACCOUNTS: readonly RehearsalAccount[] = [
  {
    name: 'Aster Reisen GmbH',
    plan: 'starter',
    checksPerDay: 12,
    address: 'Hauptstraße 4\n80331 München\nGermany',
    taxId: 'DE 811 111 111',
    ...GERMAN,
  },
  {
    name: 'Bolt Cycles Ltd',
    plan: 'growth',
    checksPerDay: 70,
    address: '12 Kings Road\nBristol BS1 4ER\nUnited Kingdom',
    taxId: 'GB 222 2222 22',
    ...ABROAD,
  },
  {
    name: 'Café Łódź Sp. z o.o.',
    plan: 'starter',
    checksPerDay: 15,
    address: 'ul. Piotrkowska 1\n90-001 Łódź\nPolska',
    taxId: 'PL 333 333 33 33',
    ...ABROAD,
    changes: [{ month: 1, day: 15, plan: 'growth' }],
  },
  {
    name: 'Delta Ελλάς Α.Ε.',
    plan: 'growth',
    checksPerDay: 45,
    address: 'Ερμού 10\n105 63 Αθήνα\nΕλλάδα',
    taxId: 'EL 444444444',
    ...ABROAD,
    changes: [{ month: 0, day: 20, plan: 'free' }],
  },
  {
    name: 'Edda Bank AG',
    plan: 'scale',
    checksPerDay: 210,
    address: 'Ringstraße 9\n60311 Frankfurt am Main\nGermany',
    taxId: 'DE 855 555 555',
    ...GERMAN,
  },
  {
    name: 'Fjord Media AS',
    plan: 'free',
    checksPerDay: 2,
    address: 'Havnegata 3\n7010 Trondheim\nNorway',
    ...EXPORTED,
    changes: [{ month: 1, day: 1, plan: 'starter' }],
  },
  {
    name: 'Garden & Söhne KG',
    plan: 'starter',
    checksPerDay: 14,
    address: 'Am Markt 2\n28195 Bremen\nGermany',
    ...GERMAN,
    changes: [
      { month: 1, day: 'last', plan: 'scale' },
      { month: 2, day: 10, plan: 'starter' },
    ],
  },
  {
    name: 'Hotel Ibis Negro SL',
    plan: 'growth',
    checksPerDay: 60,
    address: 'Calle Mayor 5\n28013 Madrid\nSpain',
    taxId: 'ES B8888888',
    ...ABROAD,
    late: { month: 0, checks: 37 },
  },
  {
    name: 'Iris Labs, Inc.',
    plan: 'growth',
    checksPerDay: 52,
    address: '500 Howard Street\nSan Francisco, CA 94105\nUSA',
    ...EXPORTED,
    adjustment: {
      month: 1,
      kind: 'adjustment',
      checks: -120,
      amount: -235,
      reason: 'Checks that a faulty release of ours repeated',
    },
  },
  {
    name: 'Jolie Mode SARL',
    plan: 'scale',
    checksPerDay: 180,
    address: '8 rue de Rivoli\n75004 Paris\nFrance',
    taxId: 'FR 10 101 010 101',
    ...ABROAD,
    adjustment: { month: 1, kind: 'credit', amount: -5000, reason: 'Goodwill for the outage of the third' },
  },
  { name: 'Kite School', plan: 'free', checksPerDay: 4 },
  {
    name: 'Lumen Energie GmbH',
    plan: 'starter',
    checksPerDay: 16,
    address: 'Solarweg 1\n20095 Hamburg\nGermany',
    ...GERMAN,
    changes: [
      { month: 0, day: 15, plan: 'growth' },
      { month: 0, day: 'last', plan: 'scale' },
      { month: 1, day: 2, plan: 'growth' },
    ],
    adjustment: { month: 2, kind: 'credit', amount: -99_000, reason: 'Contract ended by agreement' },
  },
];
