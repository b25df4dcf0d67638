import type { RunSummary } from '../../judge/run-summary.ts';
import { ABOUT_SURVIVAL, survivalGrid, survivalText, TAKEOVER } from '../survival.ts';
import { type Markup, markup } from './markup.ts';

const CLASSES = { held: 'held', known: 'void', broken: 'broken', void: 'void', 'not-applicable': 'none' } as const;

/** Subjects × scenarios: which survives what. Null where there is only one. */
export function survivalSection(run: RunSummary): Markup | null {
  const grid = survivalGrid(run);
  if (!grid) return null;
  return markup`<section id="survival">
<h2>What each survives</h2>
<p class="about">${ABOUT_SURVIVAL}</p>
<div class="scroll"><table>
<thead><tr><th scope="col">subject</th>${grid.scenarios.map((name) => markup`<th scope="col">${name}</th>`)}<th scope="col" class="n">${TAKEOVER}</th></tr></thead>
<tbody>${grid.subjects.map(
    ({
      name,
      cells,
      takeover,
    }) => markup`<tr><th scope="row">${name}</th>${cells.map((cell) => markup`<td class="${CLASSES[cell.is]}" title="${cell.what.join(', ')}">${survivalText(cell)}</td>`)}
<td class="n">${takeover}</td></tr>`,
  )}</tbody></table></div>
</section>`;
}
