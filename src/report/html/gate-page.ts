import type { Gate } from '../../gate/gate.ts';
import type { History } from '../../history/history.ts';
import type { TrialRecord } from '../../history/record.ts';
import { comparisonsOf } from '../result.ts';
import { againstText } from '../terminal/gate.ts';
import { compareSections } from './compare-sections.ts';
import { type Markup, markup } from './markup.ts';
import { page, type Section } from './page.ts';
import { provenance, runParts } from './run-page.ts';
import { SIGNS } from './verdict.ts';

/** A gate as one page: its verdict, the run behind it, and the comparisons. */
export function gatePage(gate: Gate, trials: { records: TrialRecord[]; histories: ReadonlyMap<string, History> }): string {
  const { sections, data } = runParts({ run: gate.run, ...trials });
  const compared = comparisonsOf(gate).flatMap((comparison, i) => compareSections(comparison, null, `compare-${i + 1}`));
  return page({
    title: `${SIGNS[gate.verdict]} ${gate.campaign}: ${gate.verdict}`,
    heading: markup`<h1>${gate.campaign}</h1><p>crash-campaign gate, ${againstText(gate.against)}</p>`,
    sections: [['gate', 'Gate', gateSection(gate)], ...compared, ...sections.map(asRun)],
    footer: provenance(gate.run, trials.records),
    data,
  });
}

function asRun([id, name, section]: Section): Section {
  return [id, id === 'verdict' ? 'Run' : name, section];
}

function gateSection({ verdict, reasons, notes, next, against }: Gate): Markup {
  return markup`<section id="gate" class="verdict ${verdict}">
<h2><span class="sign" aria-hidden="true">${SIGNS[verdict]}</span> ${verdict.toUpperCase()}</h2>
<p class="lead">The gate ${verdict === 'pass' ? 'is open' : 'is closed'}, ${againstText(against)}.</p>
${reasons.length > 0 && markup`<h3>Why</h3><ol class="reasons">${reasons.map((reason) => markup`<li>${reason}</li>`)}</ol>`}
${next.length > 0 && markup`<h3>What to do next</h3><ul class="reasons">${next.map((step) => markup`<li>${step}</li>`)}</ul>`}
${notes.length > 0 && markup`<ul class="facts">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`}
</section>`;
}
