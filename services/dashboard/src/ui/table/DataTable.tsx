import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Column, cellsOf } from './columns.tsx';
import classes from './DataTable.module.css';
import { roomFor } from './room-for.ts';

export interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The row whose details are open. */
  readonly current?: string;
  /** Called when the end comes near. */
  readonly onEnd?: () => void;
}

const ROW_HEIGHT = 36;
const VIRTUAL_FROM = 80;
const OVERSCAN = 12;

/**
 * The table of every listing. Only the rows in sight are in the document, so that its size does not matter. A row is
 * opened by its first link; a click anywhere in the row leads there.
 */
export function DataTable<Row>({ label, columns: given, rows, rowKey, current, onEnd }: DataTableProps<Row>) {
  const columns = given.map(cellsOf);
  const frame = useRef<HTMLDivElement>(null);
  const virtual = rows.length >= VIRTUAL_FROM;
  const [top, setTop] = useState(0);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const box = frame.current;
    if (!box) return;
    setTop(box.getBoundingClientRect().top + window.scrollY);
    setWidth(box.clientWidth);
    const watch = new ResizeObserver(() => setWidth(box.clientWidth));
    watch.observe(box);
    return () => watch.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: top + ROW_HEIGHT,
    enabled: virtual,
  });
  const items = virtual ? virtualizer.getVirtualItems() : [];
  const first = virtual ? (items[0]?.index ?? 0) : 0;
  const last = virtual ? (items.at(-1)?.index ?? 0) : rows.length - 1;

  const atEnd = last >= rows.length - OVERSCAN;
  useEffect(() => {
    if (virtual && atEnd) onEnd?.();
  }, [virtual, atEnd, onEnd]);

  // Closed details give the focus back to their row.
  const opened = useRef(current);
  useEffect(() => {
    const last = opened.current;
    opened.current = current;
    if (last === undefined || current !== undefined) return;
    const row = [...(frame.current?.querySelectorAll<HTMLElement>('tr[data-key]') ?? [])].find(
      ({ dataset }) => dataset.key === last,
    );
    row?.querySelector<HTMLElement>('a[data-row]')?.focus({ preventScroll: true });
  }, [current]);

  return (
    <div ref={frame} className={classes.frame} data-room={roomFor(columns, width)}>
      <table
        className={classes.table}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        onKeyDown={moveByArrows}
      >
        <thead>
          <tr>
            {columns.map(({ name, figure, width, phoneWidth, from, quiet }) => (
              <th
                key={name}
                scope="col"
                data-figure={figure || undefined}
                data-from={from}
                style={widthsOf(width, phoneWidth)}
              >
                {quiet ? <span className="v-offscreen">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Spacer rows={first} />}
          {rows.slice(first, last + 1).map((row, index) => (
            <tr
              key={rowKey(row)}
              className={classes.row}
              aria-rowindex={first + index + 2}
              data-key={rowKey(row)}
              data-current={rowKey(row) === current || undefined}
              onClick={openByClick}
            >
              {columns.map(({ name, render, figure, from, wraps }) => (
                <td
                  key={name}
                  data-figure={figure || undefined}
                  data-from={from}
                  data-wraps={wraps || undefined}
                >
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
          {last < rows.length - 1 && <Spacer rows={rows.length - 1 - last} />}
        </tbody>
      </table>
    </div>
  );
}

const widthsOf = (width = 'auto', phoneWidth = width.endsWith('%') ? 'auto' : width) =>
  ({ '--width': width, '--phone-width': phoneWidth }) as React.CSSProperties;

const Spacer = ({ rows }: { rows: number }) => (
  <tr className={classes.spacer}>
    <td style={{ height: rows * ROW_HEIGHT }} />
  </tr>
);

/** A click on what is itself clickable, or the end of a selection, opens nothing. */
function openByClick(event: React.MouseEvent<HTMLTableRowElement>): void {
  if ((event.target as Element).closest('a, button, input, label')) return;
  if (window.getSelection()?.type === 'Range') return;
  event.currentTarget.querySelector<HTMLElement>('a[data-row]')?.click();
}

const stopsOf = (row: Element): HTMLElement[] => [...row.querySelectorAll<HTMLElement>('a, button')];

/** To the row above or below, and there to the same thing: from one bin to the next. */
function moveByArrows(event: React.KeyboardEvent<HTMLTableElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const row = (event.target as Element).closest('tr');
  if (!row || (event.target as Element).matches('input, select, textarea')) return;
  const next = event.key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling;
  const there = next ? stopsOf(next) : [];
  const stop = there[stopsOf(row).indexOf(event.target as HTMLElement)] ?? there[0];
  if (!stop) return;
  event.preventDefault();
  stop.focus();
}
