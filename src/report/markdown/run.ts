import type { Finding } from '../../judge/findings.ts';
import type { RunSummary } from '../../judge/run-summary.ts';
import { WINDOWS } from '../../plan/plan.ts';
import { count, duration } from '../duration.ts';
import { ABOUT_SURVIVAL, survivalGrid, survivalText, TAKEOVER } from '../survival.ts';
import { codeBlock, details, markdownTable, plainText } from './text.ts';

/** Findings, then the tables of a run. */
export function runSections(run: RunSummary): string[] {
  const { total, held, broken, void: voided } = run.trials;
  const met = run.controls.filter((control) => control.met).length;
  return [
    `${count(total, 'trial')}: ${held} held, ${broken} broken, ${voided} void`,
    ...run.findings.map(finding),
    ...survivalSection(run),
    details('Trials and recovery times', trialsTable(run)),
    ...(run.controls.length > 0 ? [details(`Controls: ${met} of ${run.controls.length} caught`, controlsTable(run))] : []),
    details('Where faults landed', hitTable(run)),
  ];
}

function finding({ invariant, known, source, subject, variant, trials, message, plan, replay, shrunk }: Finding): string {
  const is = known ? 'known' : variant === null ? 'broken' : 'in a variant';
  const who = variant === null ? subject : `${subject}, variant ${variant}`;
  const title = `**${is}: ${plainText(invariant)}** by ${plainText(who)}, in ${count(trials, 'trial')}`;
  return [
    title,
    `> ${plainText(message)}`,
    ...(source === null ? [] : [plainText(source)]),
    codeBlock('sh', [`# ${plan}`, replay].join('\n')),
    ...(shrunk === null ? [] : [details('What happens', shrunk.story.map((sentence) => `- ${plainText(sentence)}`).join('\n'))]),
  ].join('\n\n');
}

/** Open: who compares several locks came for it. */
function survivalSection(run: RunSummary): string[] {
  const grid = survivalGrid(run);
  if (!grid) return [];
  const rows = grid.subjects.map(({ name, cells, takeover }) => [name, ...cells.map(survivalText), takeover]);
  return [
    ['**What each survives**', markdownTable(['subject', ...grid.scenarios, TAKEOVER], rows), plainText(ABOUT_SURVIVAL)].join('\n\n'),
    ...(grid.reasons.length > 0 ? [details('Where it is n/a', grid.reasons.map((reason) => `- ${plainText(reason)}`).join('\n'))] : []),
  ];
}

function trialsTable({ scenarios }: RunSummary): string {
  const head = ['scenario', 'subject', 'trials', 'held', 'broken', 'void', 'kills', 'lock left', 'p50', 'p90', 'max'];
  return markdownTable(
    head,
    scenarios.map(({ name, subject, trials, kills, leftLockBehind, recoveryMs: { p50, p90, max } }) => [
      name,
      subject,
      ...[trials.total, trials.held, trials.broken, trials.void, kills, leftLockBehind.trials].map(String),
      ...[p50, p90, max].map(duration),
    ]),
  );
}

function controlsTable({ controls }: RunSummary): string {
  return markdownTable(
    ['control', 'expected', 'caught', 'first catch'],
    controls.map(({ variant, expected, caught, trials, firstCatch }) => [
      variant,
      expected,
      `${caught}/${trials}`,
      firstCatch === null ? 'never' : `trial ${firstCatch}`,
    ]),
  );
}

function hitTable({ hits }: RunSummary): string {
  return markdownTable(
    ['while', ...WINDOWS],
    hits.map(({ scenario, windows }) => [scenario, ...WINDOWS.map((window) => String(windows[window] ?? 0))]),
  );
}
