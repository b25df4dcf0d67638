import { count } from '../duration.ts';
import { type Markup, markup } from './markup.ts';
import type { TimelineData } from './timeline-data.ts';

/** Signs of the drawing and what they mean; the script draws each beside its words. */
const LEGEND: [sign: string, words: string][] = [
  ['held', 'holds the lock'],
  ['orphaned', 'its holder is dead'],
  ['lapsed', 'its lease is over'],
  ['paused-span', 'paused'],
  ['spawn', 'starts'],
  ['acquired', 'takes the lock'],
  ['released', 'gives it back'],
  ['operations', 'operation; long if it changes something'],
  ['event', 'durable event'],
  ['work', 'finished work'],
  ['killed', 'killed'],
  ['died', 'dies of itself'],
  ['done', 'exits with 0'],
  ['fault', 'a fault strikes'],
  ['proof', 'proves a violation'],
  ['wait', 'waiting, drawn short'],
];

/** The place where the script draws one trial at a time. */
export function timelineSection(timelines: TimelineData[], leftOut: number): Markup {
  const rest =
    leftOut > 0 &&
    markup` ${count(leftOut, 'other kept trial')} ${leftOut === 1 ? 'is' : 'are'} not drawn here: see them with <code>npx crash-campaign replay … --record trials.ndjson:ID --timeline</code>.`;
  if (timelines.length === 0)
    return markup`<section id="timeline"><h2>Timeline</h2>
<p class="none">No history was kept: only those of broken and void trials are, unless the run has <code>--keep all</code>.${rest}</p></section>`;
  const groups = [...Map.groupBy(timelines, ({ group }) => group)];
  return markup`<section id="timeline">
<h2>Timeline</h2>
<p class="about">One trial, from left to right: a lane for the lock, and one for each session, which is one run of the program. Steps are drawn evenly and waiting is drawn short, so that what happens within a millisecond can be seen.${rest}</p>
<noscript><p class="none">The timeline is drawn by a script, which is switched off here. As text: <code>npx crash-campaign replay … --timeline</code>.</p></noscript>
<div id="stage" hidden>
<div class="tools">
<label>Trial <select id="trial">${groups.map(([group, own]) => markup`<optgroup label="${group}">${own.map(({ id, title }) => markup`<option value="${id}">${title}</option>`)}</optgroup>`)}</select></label>
<button type="button" id="jump">Jump to the violation</button>
<span class="group"><button type="button" id="out" aria-label="Zoom out">−</button><button type="button" id="in" aria-label="Zoom in">+</button><button type="button" id="whole">Whole trial</button></span>
<label><input type="checkbox" id="true-to-time"> true to time</label>
</div>
<p class="plan">plan <code id="plan"></code> <small id="notes"></small></p>
<p class="message" id="violation"></p>
<div id="drawing" tabindex="0" role="group" aria-label="Timeline. Left and right arrow: from step to step. Plus and minus: zoom. 0: the whole trial. V: jump to the violation." aria-describedby="step"></div>
<p id="step" aria-live="polite"></p>
<p class="keys" aria-hidden="true"><kbd>←</kbd> <kbd>→</kbd> from step to step, <kbd>+</kbd> <kbd>−</kbd> zoom, <kbd>0</kbd> whole trial, <kbd>V</kbd> violation; drag to move, Ctrl and wheel to zoom</p>
<ul class="legend" id="legend">${LEGEND.map(([sign, words]) => markup`<li data-sign="${sign}">${words}</li>`)}</ul>
<details id="in-words"><summary>In words</summary><ol class="story" id="story"></ol></details>
<details id="line-by-line"><summary>Line by line</summary><div class="lines"><table><thead><tr><th scope="col" class="n">time</th><th scope="col">session</th><th scope="col">what happened</th></tr></thead><tbody id="lines"></tbody></table></div></details>
</div>
</section>`;
}
