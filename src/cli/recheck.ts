import type { Command } from 'commander';
import { loadCampaign } from '../campaign/load.ts';
import { recheck } from '../campaign-run/recheck.ts';
import { type RunFile, readRunFile } from '../campaign-run/run-file.ts';
import { allInvariants } from '../invariants/all.ts';
import type { Invariant } from '../invariants/invariant.ts';
import type { RunSummary } from '../judge/run-summary.ts';
import { paintFor } from '../report/paint.ts';
import { recheckText } from '../report/terminal/recheck.ts';
import { cutShort } from './cut-short.ts';
import { EXIT, UsageError } from './exit-code.ts';
import { JSON_OPTION_ALONE } from './publish.ts';

const EXAMPLES = `
Examples:
  $ crash-campaign recheck reports/runs/2026-01-01T00-00-00-ingest
  $ crash-campaign recheck downloaded/run --campaign path/to/my-campaign
  $ crash-campaign run ingest --keep all --out all && crash-campaign recheck all

Nothing is run and nothing is written. The exit code is what the run's would be today; 2 when no history was kept.`;

/** `recheck`: the kept histories of a run, judged by today's checkers. */
export function addRecheck(program: Command, finish: (exitCode: number) => void) {
  program
    .command('recheck')
    .argument('<run-directory>', 'where the records of a run are')
    .description("Judge the kept histories of a run again with today's checkers, and say what changed.")
    .option('--campaign <campaign>', 'where its invariants are declared (default: as the run was started)')
    .addOption(JSON_OPTION_ALONE)
    .addHelpText('after', EXAMPLES)
    .action(async (directory: string, options: { campaign?: string; json?: boolean }) => finish(await recheckRun(directory, options)));
}

async function recheckRun(directory: string, { campaign, json = false }: { campaign?: string; json?: boolean }): Promise<number> {
  const file = await readRunFile(directory);
  const again = await recheck(directory, file, await invariantsOf(file, campaign));
  const { histories, withoutHistory, changed, before } = again;
  const after = histories === 0 ? nothingToJudge(again.after) : file.finished ? again.after : cutShort(again.after);
  const summary = {
    schema: 'crash-campaign/recheck@1',
    campaign: after.campaign,
    before: before.verdict,
    verdict: after.verdict,
    reasons: after.reasons,
    histories,
    withoutHistory,
    changed,
    runDirectory: directory,
    exitCode: after.exitCode,
  };
  process.stdout.write(json ? `${JSON.stringify(summary, null, 2)}\n` : recheckText({ ...again, after }, paintFor(process.stdout)));
  return after.exitCode;
}

/** That nothing has changed would say nothing. */
function nothingToJudge(summary: RunSummary): RunSummary {
  const reason = 'no history was kept, so there is nothing to judge again: run with --keep all, which keeps those of held trials too';
  return { ...summary, verdict: 'void', exitCode: EXIT.void, reasons: [reason] };
}

/** Those of the project's own that the run was judged by, or what the campaign declares today. */
async function invariantsOf({ facts }: RunFile, campaign: string | undefined): Promise<Invariant[]> {
  const own = new Map(allInvariants.map((invariant) => [invariant.name, invariant]));
  const foreign = facts.invariants.filter((name) => !own.has(name));
  if (campaign === undefined && foreign.length === 0) return facts.invariants.flatMap((name) => own.get(name) ?? []);
  try {
    const loaded = await loadCampaign(campaign ?? facts.target);
    return loaded.campaign.invariants ?? allInvariants;
  } catch (error) {
    if (campaign !== undefined) throw error;
    throw new UsageError(
      `the run was judged by ${foreign.join(', ')}, which its campaign declares, and that was not found here: say where it is with --campaign. ${(error as Error).message}`,
    );
  }
}
