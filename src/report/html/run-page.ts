import type { History } from '../../history/history.ts';
import type { TrialRecord } from '../../history/record.ts';
import type { RunSummary } from '../../judge/run-summary.ts';
import { count, duration } from '../duration.ts';
import { chosenTrials, isExample } from './chosen-trials.ts';
import { findingsSection } from './findings.ts';
import { jsonScript, type Markup, markup } from './markup.ts';
import { page, type Section } from './page.ts';
import { recoverySection } from './recovery.ts';
import { survivalSection } from './survival.ts';
import { controlsSection, hitsSection, trialsSection } from './tables.ts';
import { type TimelineData, timelineData } from './timeline-data.ts';
import { timelineSection } from './timeline-section.ts';
import { SIGNS, verdictSection } from './verdict.ts';

export interface RunInput {
  run: RunSummary;
  /** Of all trials. */
  records: TrialRecord[];
  /** The kept histories of `chosenTrials`, by the id of the trial. */
  histories: ReadonlyMap<string, History>;
}

/** So many characters of data for timelines go into a page. */
const TIMELINES_MAX = 1_200_000;

/** A run as one page: from the verdict, by way of what it rests on, to what happened in a single trial. Below 2 MB for any number of trials. */
export function runPage(input: RunInput): string {
  const { run, records } = input;
  return page({
    title: `${SIGNS[run.verdict]} ${run.campaign}: ${run.verdict}`,
    heading: markup`<h1>${run.campaign}</h1><p>crash-campaign, ${run.driver === 'sim' ? 'simulated time' : 'real clock'}</p>`,
    ...runParts(input),
    footer: provenance(run, records),
  });
}

export function runParts(input: RunInput): { sections: Section[]; data: Markup } {
  const { run, records } = input;
  const { timelines, leftOut } = timelinesOf(input);
  const byId = new Map(timelines.map((timeline) => [timeline.id, timeline]));
  const findings = run.findings.map((finding) => {
    const example = records.find((record) => isExample(finding, record));
    return { finding, timeline: byId.get(example?.id ?? '') ?? null };
  });
  const survival = survivalSection(run);
  return {
    sections: [
      ['verdict', 'Verdict', verdictSection(run)],
      ...(survival ? [['survival', 'What each survives', survival] as Section] : []),
      ['trials', 'Trials', trialsSection(run)],
      ['controls', 'Controls', controlsSection(run)],
      ['hits', 'Where faults landed', hitsSection(run)],
      ['recovery', 'Recovery', recoverySection(records)],
      ['findings', 'Findings', findingsSection(run, findings)],
      ['timeline', 'Timeline', timelineSection(timelines, leftOut)],
    ],
    data: jsonScript('timelines', timelines),
  };
}

function timelinesOf({ run, records, histories }: RunInput): { timelines: TimelineData[]; leftOut: number } {
  const chosen = chosenTrials(run, records);
  const timelines: TimelineData[] = [];
  let size = 0;
  for (const trial of chosen) {
    const history = histories.get(trial.record.id);
    if (history === undefined) continue;
    const data = timelineData(history, trial);
    const own = JSON.stringify(data).length;
    if (size + own > TIMELINES_MAX) break;
    size += own;
    timelines.push(data);
  }
  return { timelines, leftOut: records.filter(({ artefacts }) => artefacts !== null).length - timelines.length };
}

export function provenance({ digest, runDirectory, wallMs }: RunSummary, records: TrialRecord[]) {
  const { versions } = records.at(-1) ?? {};
  const facts = [
    ...(versions
      ? [`crash-campaign ${versions['crash-campaign']}`, `node ${versions.node}`, versions.git === null ? '' : `git ${versions.git}`]
      : []),
    `${count(records.length, 'trial')} in ${duration(wallMs)}, golden runs and controls included`,
    `records in ${runDirectory}`,
    `digest ${digest}`,
  ];
  return markup`${facts.filter((fact) => fact !== '').map((fact) => markup`<span>${fact}</span> `)}`;
}
