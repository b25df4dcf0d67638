import type { TrialRecord } from '../../../src/history/record.ts';
import { judgeRun } from '../../../src/judge/campaign-verdict.ts';
import type { RunInput } from '../../../src/report/html/run-page.ts';
import { trial } from '../run.ts';
import { theft, theftViolations } from '../theft.ts';

/** What a page must not be broken by, wherever it comes from outside. */
export const HOSTILE = `</script><img src=x onerror=alert(1)>"'&<!--`;

const { id, scenario, plan } = theft.trial;

/** The trial whose history is there: robbed while it was paused, and it wrote all the same. */
export const broken: TrialRecord = trial({
  seed: 1000,
  id,
  scenario,
  subject: 'toy@1',
  plan,
  verdict: 'broken',
  violations: theftViolations,
  kills: [],
  artefacts: 'artefacts/pause-past-lease/toy@1/-/1000',
});

/** A run with a broken trial, and so many that held: a third of them left the lock behind, and one never recovered. */
export function aRun({ held = 9, about = {} }: { held?: number; about?: Partial<TrialRecord> } = {}): RunInput {
  const others = Array.from({ length: held }, (_, i) => {
    const left = i % 3 === 0;
    const record = trial({
      seed: 2000 + i,
      subject: 'toy@1',
      id: `toy/kill-anywhere/toy@1/-/${2000 + i}`,
      left,
      recovery_ms: (left ? 30_000 : 400) + (i % 100),
    });
    return i > 0
      ? record
      : {
          ...record,
          kills: record.kills.map((kill) => ({ ...kill, recovery_ms: null, takeover_ms: null, progress_ms: null, censored_ms: 60_000 })),
        };
  });
  const records = [{ ...broken, ...about }, ...others];
  const run = judgeRun(records, {
    target: 'toy',
    defaultDriver: 'sim',
    campaign: 'toy',
    driver: 'sim',
    scenarios: [{ name: scenario }, { name: 'kill-anywhere' }],
    subjects: [{ name: 'toy@1' }],
    variants: [],
    invariants: [],
    forged: [],
    nullCampaign: null,
    wallMs: 2310,
    runDirectory: 'reports/runs/a-toy',
  });
  return { run, records, histories: new Map([[id, theft]]) };
}
