/** How many of a table's columns there is room for: those that are always there, and then step by step the others. */
export type Room = 'little' | 'tablet' | 'desktop' | 'wide';

interface Width {
  readonly width?: string;
  readonly from?: Exclude<Room, 'little'>;
}

const STEPS = ['wide', 'desktop', 'tablet'] as const;
/** The least legible width of a column that sets none. */
const FREE_WIDTH = 120;

/**
 * The most that fits into `available` pixels. Judged by the place that the table has and not by the window, of which
 * navigation and neighbours take their part: columns of fixed width would squeeze the one that matters to nothing.
 */
export function roomFor(columns: readonly Width[], available: number): Room {
  return STEPS.find((step) => widthNeeded(columns, step) <= available) ?? 'little';
}

function widthNeeded(columns: readonly Width[], step: Exclude<Room, 'little'>): number {
  let pixels = 0;
  let share = 0;
  for (const { width = 'auto', from } of columns) {
    if (from && STEPS.indexOf(from) < STEPS.indexOf(step)) continue;
    const amount = Number.parseFloat(width);
    if (width.endsWith('%')) share += amount / 100;
    else pixels += Number.isNaN(amount) ? FREE_WIDTH : amount;
  }
  return pixels / (1 - share);
}
