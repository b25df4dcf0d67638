import { z } from 'zod';
import { SERVICE_KINDS } from './campaign.ts';
import { parsePackage } from './package-spec.ts';
import { record, someFunction, template, text } from './schema-nodes.ts';

const knownDefectSchema = record(
  {
    invariant: text('Write the name of the invariant that it breaks.'),
    scenario: text('Write the name of the scenario in which it does.').optional(),
    site: text('Write what it is about, as the finding prints it behind `site`, or leave the field out.').optional(),
    source: text('Write where the defect is told of, e.g. the address of an issue.'),
  },
  'Write { invariant, source }.',
);

export const lockSchema = z.looseObject(
  {
    kind: text('Write the kind of lock, e.g. claim-lease.'),
    covers: someFunction('Write a function: (path) => whether the path belongs to the lock.'),
    releases: someFunction('Write a function: (operation) => whether it is part of a release.').optional(),
    inspect: someFunction('Write a function: (site) => what state the lock is in.'),
    steal: someFunction('Write a function: (site) => takes the lock over.'),
    expire: someFunction('Write a function: (site) => makes the lease have run out.'),
    corrupt: someFunction('Write a function: (site, how) => damages the lock.'),
  },
  'Write a lock adapter.',
);

const PACKAGE = 'Write a package of npm with one exact version, e.g. lockfile@1.0.4: a range or a tag would be another version tomorrow.';
const packageSchema = z.string(PACKAGE).refine((spec) => parsePackage(spec) !== null, PACKAGE);

const SUBJECT_NAME = 'Write a name of letters, digits and . _ @ + -, e.g. proper-lockfile@4.1.2.';
export const subjectSchema = record(
  {
    name: z.string(SUBJECT_NAME).regex(/^[\w.@+-]+$/, SUBJECT_NAME),
    env: z.record(z.string(), template, 'Write names and texts.').optional(),
    package: z.union([packageSchema, z.array(packageSchema, PACKAGE)], PACKAGE).optional(),
    packageLock: text("Write a file, relative to the campaign's, e.g. packages.lock.json.").optional(),
    installScripts: z.literal(true, 'Write true, or leave the field out.').optional(),
    lock: lockSchema.optional(),
    read: someFunction('Write a function: (site) => what is durable.').optional(),
    service: z.enum(SERVICE_KINDS, `Write one of ${SERVICE_KINDS.join(', ')}.`).optional(),
    notApplicable: z.record(z.string(), text('Write the reason.'), "Write scenarios with reasons, e.g. { 'steal-lock': '…' }.").optional(),
    knownDefects: z.array(knownDefectSchema, 'Write a list of { invariant, source }.').optional(),
  },
  "Write { name: 'proper-lockfile@4.1.2' }.",
);
