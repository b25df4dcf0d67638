import type { KnownDefect } from '../../src/campaign/campaign.ts';

/*
 * What was found here, by kind, each confirmed on the real clock: docs/world-local.md tells which contract each breaks and how far it was confirmed. Sites are what the findings print.
 */
const PAGE = 'docs/world-local.md';

const died = (source: string, ...reasons: string[]): KnownDefect[] =>
  reasons.map((reason) => ({ invariant: 'finishes', site: `own error code 4 ${reason}`, source: `${PAGE}, ${source}` }));

const lost = (...facts: string[]): KnownDefect[] =>
  facts.map((fact) => ({ invariant: 'log-is-complete', site: `no ${fact}`, source: `${PAGE}, lost events` }));

/** The next session ends with fewer events than a run has. The log says which are missing. */
const fewer: KnownDefect[] = ['idle', 'holding'].map((window) => ({
  invariant: 'finishes',
  site: `unfinished after a kill while ${window}`,
  source: `${PAGE}, lost events`,
}));

const inAll: KnownDefect[] = [
  ...died('never starts', 'Error: Invalid version file content: "…"', 'Error: Invalid version string: "…"'),
  ...died(
    'never finishes',
    'no progress: step_1 is refused as finished, and not so in the log',
    'no progress: wait_created is refused, and not in the log',
    'no progress: wait_completed is not in the log',
  ),
  ...lost('run_created', 'run_started', 'run_completed', 'step_created step 1'),
  { invariant: 'recovers-within', site: 'kill', source: `${PAGE}, never finishes` },
];

/** A hook whose disposal was begun keeps its token. */
const conflict = died('never finishes', 'Error: hook_conflict: the token of hook_2 is taken');

const disposalLost = lost('hook_disposed hook 1');

/** A step that is said to have been created, and is not there. */
const createdTwice = died('never finishes', 'WorkflowWorldError: Step "…" not found');

/** A hook of which the log knows, and whose file is not there. */
const notThere = died('never finishes', 'HookNotFoundError: Hook not found');

const leftBehind: KnownDefect = {
  invariant: 'finishes',
  site: 'own error code 5 hook_2 left by a run that is complete',
  source: `${PAGE}, left behind`,
};

export const knownDefects: Record<string, KnownDefect[]> = {
  '5.0.0-beta.46': [
    ...inAll,
    { invariant: 'recovers-within', site: 'kill of a holder', source: `${PAGE}, thirty seconds` },
    ...createdTwice,
    ...disposalLost,
    ...fewer,
  ],
  '4.4.1': [...inAll, ...conflict, leftBehind],
  '5.0.0-beta.20': [...inAll, ...conflict, ...disposalLost, ...createdTwice, ...notThere, leftBehind],
  '5.0.0-beta.2': [...inAll, ...conflict, ...disposalLost, leftBehind, ...died('torn file', 'a file of the library is no JSON')],
};
