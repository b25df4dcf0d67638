import { type Markup, markup } from './markup.ts';

/* All charts are equally wide, so that the plots of a page stand one beneath the other. In pixels. */
const WIDTH = 920;
const LEFT = 150;
const RIGHT = 20;
/** The width of a plot; to its left is room for names. */
export const PLOT = WIDTH - LEFT - RIGHT;

/** A chart so high, under what it shows; and in a few words, for who can't see it. The plot's own 0,0 is its upper left corner. */
export function figure(caption: Markup, label: string, height: number, plot: Markup): Markup {
  return markup`<figure>
<figcaption>${caption}</figcaption>
<div class="scroll"><svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}"><g transform="translate(${LEFT},8)">
${plot}
</g></svg></div></figure>`;
}
