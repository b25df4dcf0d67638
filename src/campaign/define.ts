import { inspect } from 'node:util';
import { z } from 'zod';
import { allInvariants } from '../invariants/all.ts';
import { WINDOWS } from '../plan/plan.ts';
import type { Campaign } from './campaign.ts';
import { CampaignError } from './campaign-error.ts';
import { oneOf } from './nearest.ts';
import { packagesOf, parsePackage } from './package-spec.ts';
import { kebab, record, someFunction, template, text } from './schema-nodes.ts';
import { parseSeeds } from './seeds.ts';
import { lockSchema, subjectSchema } from './subject-schema.ts';

/**
 * Declares a campaign: the default export of a `campaign.ts`. Returns what it was given, once that has been checked.
 * @throws {CampaignError} Which names the first field that is wrong, what was given there, and what to write instead.
 */
export function defineCampaign(campaign: Campaign): Campaign {
  const checked = campaignSchema.safeParse(campaign, { reportInput: true });
  const issues = checked.error?.issues ?? [];
  // A field that is misspelt is missing too.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (issue) throw new CampaignError(faultOf(issue));
  parseSeeds(campaign.seeds);
  return campaign;
}

const KERNEL_FILES = "Write files and folders, relative to the kernel's folder, or leave the field out.";
const kernelSchema = record(
  {
    directory: text("Write the kernel's folder, relative to the campaign file.").optional(),
    files: z.array(text(KERNEL_FILES), KERNEL_FILES).min(1, KERNEL_FILES).optional(),
    command: z
      .array(template, "Write the program and its arguments, e.g. ['node', '{kernel}/kernel.ts', '{state}'].")
      .min(1, "Write the program and its arguments, e.g. ['node', '{kernel}/kernel.ts', '{state}']."),
    env: z.record(z.string(), template, "Write names and texts, e.g. { TTL_MS: '{ttl_ms}' }.").optional(),
  },
  "Write { command: ['node', '{kernel}/kernel.ts', '{state}'] }.",
);

const DRIVERS = "Write the drivers that it is for: ['sim'] or ['live'], or leave the field out.";
const scenarioSchema = z.looseObject(
  {
    name: kebab('Write a name in kebab case, e.g. pause-past-lease.'),
    title: text('Write one sentence that says what happens.'),
    draw: someFunction('Write a function: (golden) => an arbitrary of plans.'),
    drivers: z
      .array(z.enum(['sim', 'live'], DRIVERS), DRIVERS)
      .min(1, DRIVERS)
      .optional(),
    trials: z.int('Write a whole number of seeds.').min(1, 'Write at least 1.').optional(),
    aims: z.array(z.enum(WINDOWS, `Write windows: ${WINDOWS.join(', ')}.`), 'Write a list of windows.').optional(),
    quotas: z
      .partialRecord(
        z.enum(WINDOWS, `Write windows: ${WINDOWS.join(', ')}.`),
        z.int('Write a whole number of trials.').min(1, 'Write at least 1.'),
        `Write numbers of trials by window. Windows are ${WINDOWS.join(', ')}.`,
      )
      .optional(),
  },
  'Write a scenario, e.g. killAnywhere from crash-campaign.',
);

const invariantSchema = z.looseObject(
  {
    name: kebab('Write a name in kebab case, e.g. no-duplicate-events.'),
    title: text('Write one sentence that says what must be true.'),
    check: someFunction('Write a function: (history) => violations.'),
    forge: someFunction('Write a function: (history) => the history with a violation in it, or null.'),
  },
  'Write an invariant.',
);

const EXPECTATION = "Write one of { dies: 'reason' }, { breaks: ['invariant'] }, { breaksAny: ['invariant'] }.";
const invariantNames = z.array(text('Write the name of an invariant.'), EXPECTATION).min(1, EXPECTATION);
const expectationSchema = record(
  { dies: text(EXPECTATION).optional(), breaks: invariantNames.optional(), breaksAny: invariantNames.optional() },
  EXPECTATION,
).refine((expectation) => Object.keys(expectation).length === 1, EXPECTATION);

const CHANGES = "Write what is changed: { strip: ['component'] }, { replace: { component: 'text' } } or { edit: [{ file, from, to }] }.";
const editSchema = record(
  {
    file: text("Write the file's path, relative to the kernel's folder."),
    from: text('Write the text that is edited. It must stand in the file exactly once.'),
    to: z.string('Write the text that takes its place; an empty one takes it out.'),
  },
  'Write { file, from, to }.',
);
const variantSchema = record(
  {
    name: kebab('Write a name in kebab case that says what was changed, e.g. without-fencing.'),
    subject: text('Write the name of a subject.').optional(),
    strip: z.array(text('Write the name of a component.'), CHANGES).optional(),
    replace: z.record(z.string(), z.string('Write the text that replaces the component.'), CHANGES).optional(),
    edit: z.array(editSchema, CHANGES).optional(),
    expect: expectationSchema.optional(),
    scenarios: z
      .array(text('Write the name of a scenario.'), 'Write names of scenarios.')
      .min(1, 'Write at least one scenario.')
      .optional(),
    trials: z.int('Write a whole number of trials.').min(1, 'Write at least 1.').optional(),
  },
  CHANGES,
).superRefine((variant, context) => {
  const { strip = [], replace = {}, edit = [] } = variant;
  if (strip.length === 0 && Object.keys(replace).length === 0 && edit.length === 0)
    context.addIssue({ code: 'custom', input: variant, message: CHANGES });
  const index = strip.findIndex((component) => component in replace);
  if (index >= 0)
    context.addIssue({
      code: 'custom',
      path: ['strip', index],
      input: strip[index],
      message: 'It is replaced too: strip it or replace it.',
    });
});

const milliseconds = z.number('Write milliseconds.').positive('Write milliseconds, more than 0.');
const timingSchema = record(
  { ttl_ms: milliseconds, deadline_ms: milliseconds, recovers_within_ms: milliseconds },
  'Write { ttl_ms, deadline_ms, recovers_within_ms }.',
).superRefine(({ deadline_ms, recovers_within_ms }, context) => {
  if (deadline_ms > recovers_within_ms) return;
  const message = `Write more than recovers_within_ms, which is ${recovers_within_ms}: a trial must last long enough to show that.`;
  context.addIssue({ code: 'custom', path: ['deadline_ms'], input: deadline_ms, message });
});

const TIMING = 'Write at least one driver: { sim: { ttl_ms, deadline_ms, recovers_within_ms } } or { live: … }.';
const campaignSchema = record(
  {
    name: kebab('Write a name in kebab case: that of the folder.'),
    title: text('Write one sentence that says what is tested.'),
    kernel: kernelSchema,
    subjects: z.array(subjectSchema, 'Write a list of subjects.').min(1, 'Write at least one subject, or leave the field out.').optional(),
    lock: lockSchema,
    read: someFunction('Write a function: (site) => what is durable in site.state.'),
    setup: someFunction('Write a function: (site) => fills the empty state directory.').optional(),
    scenarios: z
      .array(scenarioSchema, 'Write a list of scenarios.')
      .min(1, 'Write at least one scenario, e.g. killAnywhere from crash-campaign.'),
    variants: z.array(variantSchema, 'Write a list of variants.').optional(),
    invariants: z
      .array(invariantSchema, 'Write a list of invariants.')
      .min(1, "Write at least one invariant, or leave the field out: then all of the project's own are checked.")
      .optional(),
    seeds: z.union([z.string(), z.array(z.number())], "Write '1000-1029', or a list of numbers."),
    timing: record({ sim: timingSchema.optional(), live: timingSchema.optional() }, TIMING).refine(
      (timing) => Object.values(timing).some((one) => one !== undefined),
      TIMING,
    ),
    robbed_reason: text('Write the reason that a session gives when it finds itself robbed, e.g. lock-stolen-mid-run.'),
    allowed_reasons: z.array(text('Write a reason.'), 'Write a list of reasons, e.g. lock-busy.').optional(),
  },
  'Write a campaign: export default defineCampaign({ name, title, kernel, … }).',
).superRefine((checked, context) => {
  const campaign = checked as unknown as Campaign;
  const refuse = (path: (string | number)[], input: unknown, message: string) => context.addIssue({ code: 'custom', path, input, message });

  for (const list of ['scenarios', 'subjects', 'variants', 'invariants'] as const) {
    const names = (campaign[list] ?? []).map(({ name }) => name);
    names.forEach((name, i) => {
      if (names.indexOf(name) < i) refuse([list, i, 'name'], name, `${list}[${names.indexOf(name)}] has that name already: write another.`);
    });
  }

  const scenarios = campaign.scenarios.map(({ name }) => name);
  const scenario = (path: (string | number)[], name: string) => {
    if (!scenarios.includes(name)) refuse(path, name, `No scenario of this campaign has that name. ${oneOf(name, scenarios)}`);
  };
  const invariants = (campaign.invariants ?? allInvariants).map(({ name }) => name);
  const invariant = (path: (string | number)[], name: string) => {
    if (!invariants.includes(name)) refuse(path, name, `No invariant of this campaign has that name. ${oneOf(name, invariants)}`);
  };
  const subjects = (campaign.subjects ?? [{ name: campaign.name }]).map(({ name }) => name);
  campaign.variants?.forEach((variant, v) => {
    if (variant.subject !== undefined && !subjects.includes(variant.subject))
      refuse(['variants', v, 'subject'], variant.subject, `No subject of this campaign has that name. ${oneOf(variant.subject, subjects)}`);
    variant.scenarios?.forEach((name, i) => scenario(['variants', v, 'scenarios', i], name));
    for (const [kind, names] of Object.entries(variant.expect ?? {}))
      if (Array.isArray(names)) names.forEach((name, i) => invariant(['variants', v, 'expect', kind, i], name));
  });
  campaign.subjects?.forEach((subject, s) => {
    subject.knownDefects?.forEach((defect, d) => {
      invariant(['subjects', s, 'knownDefects', d, 'invariant'], defect.invariant);
      if (defect.scenario !== undefined) scenario(['subjects', s, 'knownDefects', d, 'scenario'], defect.scenario);
    });
    if (subject.service !== undefined && campaign.timing.sim)
      refuse(['subjects', s, 'service'], subject.service, 'Under sim there are no services: leave timing.sim out.');
    for (const name of Object.keys(subject.notApplicable ?? {})) scenario(['subjects', s, 'notApplicable', name], name);
    const packages = packagesOf(subject).map((spec) => parsePackage(spec)?.name);
    const twice = packages.findIndex((name, i) => packages.indexOf(name) < i);
    if (twice >= 0) refuse(['subjects', s, 'package', twice], packages[twice], 'An import has one version: leave the other out.');
  });

  const robbed = campaign.allowed_reasons?.indexOf(campaign.robbed_reason) ?? -1;
  if (robbed >= 0) refuse(['allowed_reasons', robbed], campaign.robbed_reason, 'It is the robbed_reason: leave it out here.');
});

/** As facts: where it is, what was given, what to write. */
function faultOf(issue: z.core.$ZodIssue) {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  const field =
    path.map((key, i) => (typeof key === 'number' ? `[${key}]` : i === 0 ? String(key) : `.${String(key)}`)).join('') || 'the campaign';
  if (issue.code === 'unrecognized_keys') return { field, problem: `${field} is no field`, remedy: issue.message };
  return { field, given: issue.input === undefined ? undefined : show(issue.input), remedy: issue.message };
}

function show(value: unknown): string {
  const shown = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 5 });
  return shown.length > 100 ? `${shown.slice(0, 99)}…` : shown;
}
