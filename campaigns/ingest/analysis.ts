import { SAMPLE_RATE } from './recording.ts';

/** What is heard of one frame: the energy in each band, and how often the signal crosses zero. */
export interface Frame {
  bands: number[];
  crossings: number;
}

export const FRAMES_PER_WINDOW = 8;
const BANDS_HZ = [220, 440, 880, 1760];

/** Frame `index` of a window's samples, counted from 0. */
export function analyse(samples: Float64Array, index: number): Frame {
  const length = Math.floor(samples.length / FRAMES_PER_WINDOW);
  const frame = samples.subarray(index * length, (index + 1) * length);
  let crossings = 0;
  for (let i = 1; i < frame.length; i++) if (Math.sign(frame[i] ?? 0) !== Math.sign(frame[i - 1] ?? 0)) crossings += 1;
  return { bands: BANDS_HZ.map((hz) => Number(energyAt(frame, hz).toFixed(6))), crossings };
}

/** The Goertzel algorithm: one bin of a Fourier transform, in one pass. */
function energyAt(frame: Float64Array, hz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE);
  let [last, beforeLast] = [0, 0];
  for (const sample of frame) [last, beforeLast] = [sample + coefficient * last - beforeLast, last];
  return (last * last + beforeLast * beforeLast - coefficient * last * beforeLast) / frame.length;
}
