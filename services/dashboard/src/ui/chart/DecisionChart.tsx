import { SegmentedControl } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { Decision } from '@verdict/domain/decision.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import { useState } from 'react';
import { formatCount, formatShare } from '../format/format.ts';
import { ScrollBox } from '../page/ScrollBox.tsx';
import { DecisionShape } from '../verdict/DecisionMark.tsx';
import classes from './DecisionChart.module.css';
import { niceTicks } from './nice-ticks.ts';

export type Counts = Readonly<Record<Decision, number>>;

export interface ChartPoint {
  /** InlineCode in full where one point is spoken of. */
  readonly title: string;
  /** Short, for the axis. */
  readonly label: string;
  readonly counts: Counts;
}

const HEIGHT = 200;
const LEFT = 44;
const BOTTOM = 22;
const TOP = 8;
const LABEL_WIDTH = 64;

const totalOf = (counts: Counts): number => DECISIONS.reduce((sum, one) => sum + counts[one], 0);

/** Checks over time, stacked by decision; the same as a table on demand. */
export function DecisionChart({ label, points }: { label: string; points: readonly ChartPoint[] }) {
  const [shown, setShown] = useState('chart');
  return (
    <div>
      <div className={classes.head}>
        <ul className={classes.legend}>
          {DECISIONS.map((decision) => (
            <li key={decision}>
              <DecisionShape decision={decision} size={11} /> {decision}
            </li>
          ))}
        </ul>
        <SegmentedControl
          size="xs"
          aria-label={`${label}, shown as`}
          value={shown}
          onChange={setShown}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
        />
      </div>
      {shown === 'chart' ? <Bars label={label} points={points} /> : <Figures label={label} points={points} />}
    </div>
  );
}

function Bars({ label, points }: { label: string; points: readonly ChartPoint[] }) {
  const { ref, width } = useElementSize();
  const [active, setActive] = useState<number | null>(null);
  const highest = Math.max(1, ...points.map(({ counts }) => totalOf(counts)));
  const ticks = niceTicks(highest);
  const ceiling = ticks.at(-1) ?? highest;
  const plot = Math.max(0, width - LEFT);
  const step = points.length === 0 ? plot : plot / points.length;
  const bar = Math.max(1, Math.min(34, step * 0.72));
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / ceiling);
  const everyNth = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(step, 1)));
  const point = active === null ? undefined : points[active];

  return (
    <div
      ref={ref}
      className={classes.chart}
      style={{ height: HEIGHT }}
      role="img"
      aria-label={`${label}: ${formatCount(points.reduce((sum, { counts }) => sum + totalOf(counts), 0))} in all. The table has the figures.`}
      onPointerMove={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const index = Math.floor((event.clientX - box.left - LEFT) / step);
        setActive(index >= 0 && index < points.length ? index : null);
      }}
      onPointerLeave={() => setActive(null)}
    >
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {ticks.map((tick) => (
            <g key={tick}>
              <line className={classes.grid} x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
              <text className={classes.tick} x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
                {formatCount(tick)}
              </text>
            </g>
          ))}
          {points.map(({ title, label: short, counts }, index) => {
            const x = LEFT + index * step + (step - bar) / 2;
            let below = 0;
            return (
              <g key={title} data-active={active === index || undefined} className={classes.column}>
                {DECISIONS.map((decision) => {
                  const count = counts[decision];
                  if (count === 0) return null;
                  const bottom = y(below);
                  below += count;
                  return (
                    <rect
                      key={decision}
                      data-decision={decision}
                      className={classes.bar}
                      x={x}
                      width={bar}
                      y={y(below)}
                      height={Math.max(1, bottom - y(below))}
                    />
                  );
                })}
                {(points.length - 1 - index) % everyNth === 0 && (
                  <text
                    className={classes.tick}
                    x={x + bar / 2}
                    y={HEIGHT - 5}
                    textAnchor={
                      x + bar / 2 > width - LABEL_WIDTH / 3
                        ? 'end'
                        : x + bar / 2 < LEFT + LABEL_WIDTH / 3
                          ? 'start'
                          : 'middle'
                    }
                  >
                    {short}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      )}
      {point && active !== null && (
        <div
          className={classes.tip}
          style={
            active * step > plot / 2
              ? { right: width - (LEFT + active * step) + 8 }
              : { left: LEFT + (active + 1) * step + 8 }
          }
        >
          <Counts point={point} />
        </div>
      )}
    </div>
  );
}

function Counts({ point }: { point: ChartPoint }) {
  return (
    <>
      <strong>{point.title}</strong>
      <dl>
        {DECISIONS.map((decision) => (
          <div key={decision}>
            <dt>
              <DecisionShape decision={decision} size={10} /> {decision}
            </dt>
            <dd>{formatCount(point.counts[decision])}</dd>
          </div>
        ))}
        <div>
          <dt>in all</dt>
          <dd>{formatCount(totalOf(point.counts))}</dd>
        </div>
      </dl>
    </>
  );
}

function Figures({ label, points }: { label: string; points: readonly ChartPoint[] }) {
  const shown = points.filter(({ counts }) => totalOf(counts) > 0).toReversed();
  return (
    <ScrollBox label={label} className={classes.figures} style={{ height: HEIGHT }}>
      <table>
        <thead>
          <tr>
            <th scope="col">When (UTC)</th>
            {DECISIONS.map((decision) => (
              <th key={decision} scope="col">
                {decision}
              </th>
            ))}
            <th scope="col">in all</th>
            <th scope="col">blocked</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ title, counts }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {DECISIONS.map((decision) => (
                <td key={decision}>{formatCount(counts[decision])}</td>
              ))}
              <td>{formatCount(totalOf(counts))}</td>
              <td>{formatShare(counts.block, totalOf(counts))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
