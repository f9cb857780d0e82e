import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Invoice, invoicesQuery } from '../../api/billing.ts';
import { addressOf } from '../../api/call.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { SaveFileButton } from '../../ui/file/SaveFileButton.tsx';
import { formatMoney, formatMonth } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { StateMark } from '../../ui/page/StateMark.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { INVOICES_TEXTS as TEXTS } from './texts.ts';

const STATES = { open: 'waiting', overdue: 'bad', paid: 'good' } as const;

const COLUMNS: readonly Column<Invoice>[] = [
  { name: TEXTS.number, render: ({ number }) => number },
  { name: TEXTS.kind, width: '110px', from: 'tablet', render: ({ kind }) => TEXTS.kinds[kind] },
  { name: TEXTS.month, width: '140px', from: 'tablet', render: ({ month }) => formatMonth(month) },
  { name: TEXTS.issued, width: '110px', figure: true, from: 'desktop', render: ({ issued_on: day }) => day },
  {
    name: TEXTS.due,
    width: '110px',
    figure: true,
    from: 'desktop',
    render: ({ kind, due_on: day }) => (kind === 'invoice' ? day : '–'),
  },
  {
    name: TEXTS.status,
    width: '110px',
    phoneWidth: '88px',
    render: ({ status }) =>
      status ? <StateMark state={STATES[status]}>{TEXTS.statuses[status]}</StateMark> : '–',
  },
  {
    name: TEXTS.total,
    width: '130px',
    phoneWidth: '84px',
    figure: true,
    render: ({ total, currency }) => formatMoney(total, currency),
  },
  {
    name: TEXTS.files,
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
            label={TEXTS[format]}
            title={TEXTS.save(number, TEXTS[format])}
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
    <Section title={TEXTS.title} note={TEXTS.note}>
      {invoices.error ? (
        <ErrorNotice title={TEXTS.failed} error={invoices.error} onRetry={() => void invoices.refetch()} />
      ) : !invoices.data ? (
        <SkeletonRows rows={3} label={TEXTS.loading} />
      ) : invoices.data.invoices.length === 0 ? (
        <EmptyState title={TEXTS.none} text={TEXTS.noneText} />
      ) : (
        <DataTable
          label={TEXTS.title}
          columns={COLUMNS}
          rows={invoices.data.invoices.toReversed()}
          rowKey={({ number }) => number}
        />
      )}
    </Section>
  );
}
