import { scaleLinear } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { recoveredShare, type Step } from '../../stats/recovered-share.ts';
import type { CensoredTime } from '../../stats/restricted-mean.ts';
import { at, sideAxis } from './axis.ts';
import { type Markup, markup } from './markup.ts';
import { sampled } from './recovery-times.ts';

/** The height of a curve of shares, in pixels. */
export const CURVE = 150;

const y = scaleLinear([0, 1], [CURVE, 14]);
/** So many steps can be told apart on a screen. */
const MOST_STEPS = 600;

/** The share of a sample that had recovered by each time. */
export function curve(kind: string, sample: CensoredTime[], x: (ms: number) => number): Markup {
  const steps = recoveredShare(sample);
  const path = line<Step>(
    ({ time }) => at(x(time)),
    ({ share }) => at(y(share)),
  ).curve(curveStepAfter);
  // Where the longest was censored, the curve goes on at its height: so far was looked.
  const last = sample.reduce((max, { time }) => Math.max(max, time), 0);
  const points = [{ time: 0, share: 0 }, ...sampled(steps, MOST_STEPS), { time: last, share: steps.at(-1)?.share ?? 0 }];
  return markup`<path class="curve ${kind}" d="${path(points)}"/>`;
}

/** The axis of shares. */
export function shareAxis(): Markup {
  return markup`${sideAxis([0, 0.5, 1], y, (share) => `${share * 100} %`)}
<g class="axis share"><text x="-10" y="${y(0.25) + 4}">recovered</text></g>`;
}
