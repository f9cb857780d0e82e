import type { ImportReport } from '../../api/lists.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { formatCount } from '../../ui/format.ts';
import { IMPORT_TEXTS as TEXTS } from './texts.ts';

/** What became of each row: those that were refused are named, the others are counted. */
export function ImportReportView({ report }: { report: ImportReport }) {
  const { added, unchanged, errors } = report;
  return (
    <>
      <p role="status">
        {TEXTS.report(formatCount(added), formatCount(unchanged), formatCount(errors.length))}{' '}
        {added > 0 && TEXTS.inForce}
      </p>
      {errors.length > 0 && (
        <DataTable
          label={TEXTS.why}
          rows={errors}
          rowKey={({ row }) => String(row)}
          columns={[
            { name: TEXTS.row, width: '60px', figure: true, render: ({ row }) => formatCount(row) },
            { name: TEXTS.value, render: ({ value }) => <span title={value}>{value}</span> },
            { name: TEXTS.why, render: ({ message }) => <span title={message}>{message}</span> },
          ]}
        />
      )}
    </>
  );
}
