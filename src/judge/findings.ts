import type { DriverName, KnownDefect, Subject } from '../campaign/campaign.ts';
import type { TrialRecord, Violation } from '../history/record.ts';
import { noFaults } from '../plan/no-faults.ts';
import { fingerprintOf, generalise } from './fingerprint.ts';
import type { RunFacts, ShrunkFinding } from './run-summary.ts';

/** Broken trials that have in common what broke and what it was about; with the smallest of them. */
export interface Finding {
  fingerprint: string;
  invariant: string;
  /** What it is about, with numbers left out: what a known defect names. Null: the checker does not say. */
  site: string | null;
  /** Whether the subject declares it. */
  known: boolean;
  /** Where a known defect is told of. */
  source: string | null;
  trials: number;
  /** In how many of each scenario, in the order in which they broke first. */
  scenarios: { name: string; trials: number }[];
  /** From here on: the smallest example. */
  message: string;
  seed: number;
  scenario: string;
  subject: string;
  variant: string | null;
  plan: string;
  /** Faults and deviations in the plan. */
  steps: number;
  /** A command that runs it again. */
  replay: string;
  /** When it was made smaller: of which drawn plan, in how many trials, and what happens in what is left. */
  shrunk: Pick<ShrunkFinding, 'from' | 'tried' | 'minimal' | 'story'> | null;
}

export interface ReplayTarget {
  /** The campaign as it was named on the command line. */
  target: string;
  /** The driver that is used when none is named. */
  defaultDriver: DriverName;
}

/** Groups the violations of broken trials: findings about the kernel as it is before those about variants, then findings that nobody knew first, then the most frequent. */
export function findingsOf(records: TrialRecord[], subjects: Subject[], replay: ReplayTarget): Finding[] {
  const broken = records.flatMap((record) =>
    record.violations.map((violation) => ({ record, violation, source: sourceOf(record, violation, subjects) })),
  );
  const groups = Map.groupBy(broken, ({ record, violation, source }) =>
    JSON.stringify([fingerprintOf(violation), record.subject, record.variant, source]),
  );
  return [...groups.values()]
    .map((group) => finding(group, replay))
    .toSorted(
      (a, b) =>
        Number(a.variant !== null) - Number(b.variant !== null) ||
        Number(a.known) - Number(b.known) ||
        b.trials - a.trials ||
        (a.fingerprint < b.fingerprint ? -1 : a.fingerprint > b.fingerprint ? 1 : 0),
    );
}

/** The source of the known defect that a violation is; null: nobody knew. */
export function sourceOf(record: TrialRecord, violation: Violation, subjects: Subject[]): string | null {
  const defects = subjects.find(({ name }) => name === record.subject)?.knownDefects ?? [];
  return defects.find((defect) => isDefect(defect, record, violation))?.source ?? null;
}

/** Whether a trial broke what nobody knew of its subject. */
export function breaksUnknown(record: TrialRecord, subjects: Subject[]): boolean {
  return record.violations.some((violation) => sourceOf(record, violation, subjects) === null);
}

/** Whether a violation in a trial of a subject is this defect of it. */
export function isDefect(defect: Omit<KnownDefect, 'source'>, { scenario }: TrialRecord, { invariant, site }: Violation): boolean {
  return (
    defect.invariant === invariant &&
    (defect.scenario ?? scenario) === scenario &&
    (defect.site === undefined || (site !== undefined && generalise(defect.site) === generalise(site)))
  );
}

/** `toy broke no-duplicate-events in 2 trials`. */
export function broke({ invariant, subject, scenario, trials }: Finding): string {
  const times = scenario === noFaults.name ? 'a run without any fault' : trials === 1 ? '1 trial' : `${trials} trials`;
  return `${subject} broke ${invariant} in ${times}`;
}

/** Whether it fails the run: the program as it is broke what nobody knew of. */
export function isFailure({ known, variant }: Finding): boolean {
  return !known && variant === null;
}

function finding(group: { record: TrialRecord; violation: Violation; source: string | null }[], replay: ReplayTarget): Finding {
  const [{ record, violation, source }] = group.toSorted((a, b) => bySize(a.record, b.record)) as [(typeof group)[number]];
  const { seed, scenario, subject, variant, plan, landed } = record;
  return {
    fingerprint: fingerprintOf(violation),
    invariant: violation.invariant,
    site: violation.site === undefined ? null : generalise(violation.site),
    known: source !== null,
    source,
    trials: new Set(group.map(({ record: { id } }) => id)).size,
    scenarios: [...Map.groupBy(group, ({ record }) => record.scenario)].map(([name, same]) => ({
      name,
      trials: new Set(same.map(({ record: { id } }) => id)).size,
    })),
    message: violation.message,
    seed,
    scenario,
    subject,
    variant,
    plan,
    steps: landed.length,
    // With its plan: the seed alone draws another one as soon as the kernel, and so the golden run, is another.
    replay: replayCommand(record, replay, plan),
    shrunk: null,
  };
}

/** Fewest faults, then the shortest plan, then the lowest seed; among equals by their texts, and not by which ended first. */
function bySize(a: TrialRecord, b: TrialRecord): number {
  const [one, other] = [`${a.plan} ${a.id}`, `${b.plan} ${b.id}`];
  return a.landed.length - b.landed.length || a.plan.length - b.plan.length || a.seed - b.seed || (one < other ? -1 : 1);
}

/** The findings with the smaller plans that were found for them. */
export function withShrunk(
  findings: Finding[],
  { shrunk = [], driver, ...replay }: Pick<RunFacts, 'shrunk' | 'driver'> & ReplayTarget,
): Finding[] {
  return findings.map((finding) => {
    const { subject, variant, fingerprint } = finding;
    const found = shrunk.find((one) => one.fingerprint === fingerprint && one.subject === subject && one.variant === variant);
    if (!found) return finding;
    const { from, tried, minimal, story, ...example } = found;
    return {
      ...finding,
      ...example,
      replay: replayCommand({ ...example, driver }, replay, example.plan),
      shrunk: { from, tried, minimal, story },
    };
  });
}

/** One line to be pasted into a shell. With a plan, that one is run instead of the one that the seed draws; the seed still makes the world. */
export function replayCommand(
  { scenario, subject, variant, seed, driver }: Pick<TrialRecord, 'scenario' | 'subject' | 'variant' | 'seed' | 'driver'>,
  { target, defaultDriver }: ReplayTarget,
  plan: string | null = null,
): string {
  const words = ['npx', 'crash-campaign', 'replay', target, '--scenario', scenario, '--subject', subject];
  if (variant !== null) words.push('--variant', variant);
  words.push('--seed', String(seed));
  if (plan !== null) words.push('--plan', plan);
  if (driver !== defaultDriver) words.push('--driver', driver);
  return words.map(quote).join(' ');
}

/** As a word of a shell's command. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
