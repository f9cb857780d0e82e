import { Time } from '../format/Time.tsx';
import type { Room } from './room-for.ts';

interface Shape {
  /** Figures are at the right. */
  readonly figure?: boolean;
  readonly width?: string;
  /** Where there is little room; shares of the whole are given up there anyway. */
  readonly phoneWidth?: string;
  /** Left out where there is no room for it and the others of its step. */
  readonly from?: Exclude<Room, 'little'>;
  /** Text that must be read whole goes on in a second line; for tables that are never long. */
  readonly wraps?: boolean;
}

/** A column as the table draws it. */
export interface Cells<Row> extends Shape {
  readonly name: string;
  readonly render: (row: Row) => React.ReactNode;
  /** The heading is for screen readers only. */
  readonly quiet?: boolean;
}

/** A moment at the right; null is a row without it. */
interface TimeCells<Row> extends Omit<Shape, 'from'> {
  readonly name: string;
  readonly time: (row: Row) => string | null;
  /** In figures also while it is less than an hour ago. */
  readonly exact?: boolean;
  /** For rows without the moment. */
  readonly never?: string;
  /** Null where there is always room. */
  readonly from?: Shape['from'] | null;
}

/** The actions of a row: an icon or a menu, wider for buttons. */
interface ActionCells<Row> extends Shape {
  readonly actions: (row: Row) => React.ReactNode;
}

export type Column<Row> = Cells<Row> | TimeCells<Row> | ActionCells<Row>;

/** The columns of a table, with the layout that columns of one kind share. */
export function cellsOf<Row>(column: Column<Row>): Cells<Row> {
  if ('actions' in column) {
    const { actions, ...shape } = column;
    return { name: 'Actions', width: '48px', quiet: true, ...shape, render: actions };
  }
  if (!('time' in column)) return column;
  const { time, exact = false, never = '–', from = 'tablet', ...shape } = column;
  const render = (row: Row) => {
    const at = time(row);
    return at === null ? never : <Time at={at} relative={!exact} />;
  };
  return { width: '172px', figure: true, ...(from && { from }), ...shape, render };
}
