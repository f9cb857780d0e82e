import { Button } from '@mantine/core';
import { save } from '../../api/download.ts';
import type { ImportReport } from '../../api/lists.ts';
import dialog from '../../ui/dialog/Dialog.module.css';
import { csvOf } from '../../ui/file/csv-of.ts';
import { formatCount } from '../../ui/format/format.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { IMPORT_TEXTS as TEXTS } from './texts.ts';

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
        {TEXTS.report(formatCount(added), formatCount(unchanged), formatCount(errors.length))}
      </p>
      {errors.length > 0 && (
        <>
          <DataTable
            label={TEXTS.why}
            rows={errors.slice(0, SHOWN_MAX)}
            rowKey={({ row }) => String(row)}
            columns={[
              {
                name: TEXTS.row,
                width: '60px',
                phoneWidth: '40px',
                figure: true,
                render: ({ row }) => formatCount(row),
              },
              { name: TEXTS.value, wraps: true, render: ({ value }) => value },
              { name: TEXTS.why, width: '54%', wraps: true, render: ({ message }) => message },
            ]}
          />
          <div className={dialog.file}>
            <Button variant="default" size="xs" onClick={saveAll}>
              {TEXTS.save}
            </Button>
            {errors.length > SHOWN_MAX && <span>{TEXTS.first(formatCount(SHOWN_MAX))}</span>}
          </div>
        </>
      )}
    </>
  );
}
