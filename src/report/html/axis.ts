import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { duration } from '../duration.ts';
import { PLOT } from './chart.ts';
import { type Markup, markup } from './markup.ts';

/** Steps that are round to whoever reads times, in milliseconds. */
const ROUND_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3, 120e3, 300e3, 600e3, 1800e3, 3600e3, 7200e3];

/** A scale of times from 0 to a round time behind the greatest, and its ticks. */
export function timeScale(max_ms: number, width: number): { x: ScaleLinear<number, number>; ticks: number[] } {
  const most = Math.max(2, Math.floor(width / 90));
  const step = ROUND_MS.find((round) => max_ms / round <= most) ?? max_ms / most;
  const count = Math.max(1, Math.ceil((max_ms * 1.02) / step));
  return { x: scaleLinear([0, count * step], [0, width]), ticks: Array.from({ length: count + 1 }, (_, i) => i * step) };
}

/** The axis of a scale of times, with a line for each tick up to `height` above it. */
export function timeAxis({ x, ticks }: ReturnType<typeof timeScale>, y: number, height: number): Markup {
  return markup`<g class="axis" transform="translate(0,${y})">${ticks.map(
    (ms) => markup`<line x1="${at(x(ms))}" x2="${at(x(ms))}" y1="${-height}" y2="4"/><text x="${at(x(ms))}" y="18">${tickText(ms)}</text>`,
  )}</g>`;
}

/** The axis at the left of a plot, with a line across it for each tick. */
export function sideAxis(ticks: number[], y: (value: number) => number, text: (value: number) => string): Markup {
  return markup`<g class="axis share">${ticks.map(
    (tick) =>
      markup`<line x1="-4" x2="${PLOT}" y1="${at(y(tick))}" y2="${at(y(tick))}"/><text x="-10" y="${at(y(tick)) + 4}">${text(tick)}</text>`,
  )}</g>`;
}

/** Round times without their zeros: `30 s`, `1.5 s`, `2 m`. */
export function tickText(ms: number): string {
  if (ms === 0) return '0';
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000} min`;
  if (ms >= 1000 && ms < 120_000) return `${Number((ms / 1000).toFixed(1))} s`;
  return duration(ms);
}

/** A coordinate, to a tenth of a pixel. */
export function at(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
