import { Button } from '@mantine/core';
import { save } from '../../api/download.ts';
import type { ImportReport } from '../../api/lists.ts';
import dialog from '../../ui/dialog/Dialog.module.css';
import { csvOf } from '../../ui/file/csv-of.ts';
import { formatCount } from '../../ui/format/format.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';

/** A dialog is no place for thousands of rows; whoever has so many wants a file. */
const SHOWN_MAX = 50;

/** Names the rows that an import refused and counts the others. */
export function ImportReportView({ report }: { report: ImportReport }) {
  const { added, unchanged, errors } = report;
  const saveAll = () => {
    const rows = errors.map(({ row, value, message }) => [row, value, message]);
    save(new Blob([csvOf(['row', 'value', 'message'], rows)], { type: 'text/csv' }), 'verdict-refused.csv');
  };
  return (
    <>
      <p role="status">
        {`${formatCount(added)} added, ${formatCount(unchanged)} already there, ${formatCount(errors.length)} refused.`}
      </p>
      {errors.length > 0 && (
        <>
          <DataTable
            label="Reason"
            rows={errors.slice(0, SHOWN_MAX)}
            rowKey={({ row }) => String(row)}
            columns={[
              {
                name: 'Row',
                width: '60px',
                phoneWidth: '40px',
                figure: true,
                render: ({ row }) => formatCount(row),
              },
              { name: 'Value', wraps: true, render: ({ value }) => value },
              { name: 'Reason', width: '54%', wraps: true, render: ({ message }) => message },
            ]}
          />
          <div className={dialog.file}>
            <Button variant="default" size="xs" onClick={saveAll}>
              Save all as CSV
            </Button>
            {errors.length > SHOWN_MAX && <span>{`First ${formatCount(SHOWN_MAX)} shown.`}</span>}
          </div>
        </>
      )}
    </>
  );
}
