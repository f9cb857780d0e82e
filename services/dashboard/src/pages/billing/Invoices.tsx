import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Invoice, invoicesQuery } from '../../api/billing.ts';
import { addressOf } from '../../api/call.ts';
import { SaveFileButton } from '../../ui/file/SaveFileButton.tsx';
import { formatMoney, formatMonth } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { StateMark } from '../../ui/page/StateMark.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { INVOICES_TEXTS as TEXTS } from './texts.ts';

const STATES = { open: 'waiting', overdue: 'bad', paid: 'good' } as const;

const COLUMNS: readonly Column<Invoice>[] = [
  { name: 'Number', render: ({ number }) => number },
  { name: 'Kind', width: '110px', from: 'tablet', render: ({ kind }) => TEXTS.kinds[kind] },
  { name: 'Month', width: '140px', from: 'tablet', render: ({ month }) => formatMonth(month) },
  { name: 'Date', width: '110px', figure: true, from: 'desktop', render: ({ issued_on: day }) => day },
  {
    name: 'Due',
    width: '110px',
    figure: true,
    from: 'desktop',
    render: ({ kind, due_on: day }) => (kind === 'invoice' ? day : '–'),
  },
  {
    name: 'Status',
    width: '110px',
    phoneWidth: '88px',
    render: ({ status }) =>
      status ? <StateMark state={STATES[status]}>{TEXTS.statuses[status]}</StateMark> : '–',
  },
  {
    name: 'Total',
    width: '130px',
    phoneWidth: '84px',
    figure: true,
    render: ({ total, currency }) => formatMoney(total, currency),
  },
  {
    name: 'Files',
    width: '120px',
    phoneWidth: '112px',
    figure: true,
    quiet: true,
    render: ({ number }) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        {(['pdf', 'xml'] as const).map((format) => (
          <SaveFileButton
            key={format}
            from={addressOf('GET /billing/invoices/:number/', { params: { number }, query: { format } })}
            name={`${number}.${format}`}
            label={format.toUpperCase()}
            title={`Save ${number} as ${format.toUpperCase()}`}
          />
        ))}
      </Group>
    ),
  },
];

/** Invoices as they were issued, newest first. */
export function Invoices() {
  const invoices = useQuery(invoicesQuery);
  return (
    <Section title="Invoices" note="Issued when a month closes; corrections come as credit notes.">
      <Loaded
        query={invoices}
        what="the invoices"
        rows={3}
        isEmpty={(data) => data.invoices.length === 0}
        empty={
          <EmptyState
            title="No invoices yet"
            text="The first comes with the first closed month that costs something."
          />
        }
      >
        {(data) => (
          <DataTable
            label="Invoices"
            columns={COLUMNS}
            rows={data.invoices.toReversed()}
            rowKey={({ number }) => number}
          />
        )}
      </Loaded>
    </Section>
  );
}
