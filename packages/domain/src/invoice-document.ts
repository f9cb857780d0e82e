import type { PlanDays, StatementLine } from './statement-line.js';

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;

export const INVOICE_STATUSES = ['open', 'overdue', 'paid'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** An invoice or credit note as it was issued. Amounts in minor units; nothing on it changes later. */
export interface InvoiceDocument {
  readonly number: string;
  readonly kind: (typeof INVOICE_KINDS)[number];
  readonly legal_entity: string;
  readonly account_id: string;
  /** YYYY-MM */
  readonly month: string;
  readonly issued_on: string;
  readonly due_on: string;
  readonly currency: string;
  readonly subtotal: number;
  /** Hundredths of a percent. */
  readonly tax_rate: number;
  readonly tax: number;
  readonly total: number;
  /** The invoice that a credit note takes back. */
  readonly corrects: string | null;
  readonly statement_checksum: string | null;
  readonly checksum: string;
  readonly content: {
    readonly seller: Party & { readonly payment: string | null };
    readonly buyer: Party & {
      /** The customer's number elsewhere, and of what was ordered; documents before November 2026 lack them. */
      readonly external_ref?: string | null;
      readonly po_number?: string | null;
    };
    readonly tax_note: string | null;
    readonly lines: readonly StatementLine[];
    readonly plans?: readonly PlanDays[];
    readonly entitled?: number;
    readonly used?: number;
    readonly adjusted?: number;
    readonly over?: number;
    /** Checks by key, with what the customer books them on. */
    readonly keys?: readonly {
      readonly key_id: string;
      readonly name: string | null;
      readonly cost_centre: string | null;
      readonly checks: number;
    }[];
  };
}

interface Party {
  readonly name: string;
  readonly address: string | null;
  readonly tax_id: string | null;
  readonly contact: string | null;
  /** ISO 3166, two letters. */
  readonly country?: string | null;
}
