import { table } from '../lock-services/markdown-table.ts';
import type { Row } from './row.ts';

/** The scoreboard, in Markdown. Pure. */
export function museumPage(rows: Row[]): string {
  const found = rows.filter(({ found }) => found.of > 0 && found.seeds === found.of);
  return `# The museum

Real bugs, each told of in public by somebody else: unmodified packages from npm, the version that has the bug and, where there is one, the version in which it is gone. A case says what must never
happen and which general scenarios are tried; it names no line, operation or pause point of the bug. Generated; it goes on where it stopped (to ask anew, remove the lines of a case from
\`campaigns/museum/answers.ndjson\`):

\`\`\`text
npm run museum -- [cases…] [--seeds 1-5] [--fixed 500] [--json]
\`\`\`

Each is an ordinary campaign too, which passes while it reproduces the bug as a known defect:

\`\`\`sh
npx crash-campaign run museum/proper-lockfile-71 --seeds 1-4
\`\`\`

## Scoreboard

${found.length} of ${rows.length} were found from every base seed. A base seed is one search, from nothing to the first catch; trials and seconds are the medians, seconds from the loading of the campaign with its
packages in the cache.

${table(
  ['case', 'must never happen', 'broken', 'found', 'by', 'trials', 'seconds', 'fixed', 'clean in', 'live'],
  rows.map((row) => [
    linked(row),
    row.never,
    `\`${row.broken}\``,
    row.found.of === 0 ? 'not asked' : `${row.found.seeds} of ${row.found.of}`,
    row.found.strategies.map((strategy) => `\`${strategy}\``).join(', '),
    String(row.found.trials ?? ''),
    String(row.found.seconds ?? ''),
    row.fixed ? `\`${row.fixed.subject}\`` : 'none',
    cleanIn(row.fixed),
    liveIn(row.live),
  ]),
)}

## What is left of the plans

The smallest that any base seed came to, and how many steps the longest of them has.

${table(
  ['case', 'broke', 'plan', 'steps', 'at most'],
  rows.flatMap(({ name, found, smallest }) =>
    smallest
      ? [
          [
            name,
            found.invariants.map((one) => `\`${one}\``).join(', '),
            `\`${smallest.plan}\``,
            String(smallest.steps),
            smallest.driver === 'sim' ? String(smallest.stepsMax) : 'as drawn',
          ],
        ]
      : [],
  ),
)}

## On the real clock

${rows.map((row) => `- **${row.name}**: ${liveStory(row)}`).join('\n')}
`;
}

/** To where it is told of; a source may be more than an address. */
function linked({ name, source }: Row): string {
  const [address] = /https:\/\/\S+/.exec(source) ?? [];
  return address === undefined ? name : `[${name}](${address})`;
}

function cleanIn(fixed: Row['fixed']): string {
  if (!fixed) return '';
  if (fixed.trials === 0) return 'not asked';
  const trials = `${fixed.trials - fixed.void}${fixed.void > 0 ? `, and ${fixed.void} void` : ''}`;
  return fixed.findings === 0 ? trials : `**no: ${fixed.findings} findings** in ${trials}`;
}

function liveIn(live: Row['live']): string {
  return 'why' in live || live.is === 'not-confirmed' ? 'not confirmed' : `${live.broken.shown} of ${live.broken.of}`;
}

function liveStory({ live, smallest }: Row): string {
  if ('why' in live) return `not confirmed: ${live.why}.`;
  const { broken, fixed, plan } = live;
  const how = smallest?.driver === 'live' ? 'found there' : plan === null ? 'plans as they were found' : `e.g. \`${plan}\``;
  const twin = fixed ? `, and ${fixed.shown} of ${fixed.of} in the fixed version` : '';
  return `${how}: ${live.is === 'confirmed' ? '' : 'not confirmed, '}${broken.shown} of ${broken.of}${twin}.`;
}
