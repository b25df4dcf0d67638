import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriverName, Subject, Timing, Variant } from '../campaign/campaign.ts';
import { CampaignError } from '../campaign/campaign-error.ts';
import { subjectsOf } from '../campaign/expand.ts';
import type { LoadedCampaign } from '../campaign/load.ts';
import { oneOf } from '../campaign/nearest.ts';
import { type PreparedKernel, prepareKernel } from '../campaign/prepare.ts';
import { openWorkspace } from '../driver/workspace.ts';
import { allInvariants } from '../invariants/all.ts';
import { requireServers } from '../services/servers.ts';
import { openServices } from '../services/services.ts';
import { sweepServers } from '../services/sweep.ts';
import { type CachedPackage, installPackages } from './packages.ts';
import type { Setup } from './run-trial.ts';
import { versionsOf } from './versions.ts';
import { workspaceRoot } from './workspace-root.ts';

/**
 * Makes what the trials of a run have in common: the kernel's copies, one for each subject and one for each variant of the reference subject,
 * in a workspace that lives as long as `work` does. It has no run directory yet. Removes what killed harnesses left behind.
 */
export async function withSetup<T>(
  options: {
    campaign: LoadedCampaign;
    driver: DriverName;
    probe?: boolean | undefined;
    subjects?: string[];
    variants: Variant[];
    keep: Setup['keep'];
  },
  work: (setup: Setup) => Promise<T>,
): Promise<T> {
  const { campaign, file, directory, running = {} } = options.campaign;
  const reference = subjectsOf(campaign)[0]?.name;
  const isMeant = ({ name }: Subject) => name === reference || (options.subjects?.includes(name) ?? true);
  requireServers(
    subjectsOf(campaign).flatMap((subject) => (isMeant(subject) && subject.service && !running[subject.service] ? subject.service : [])),
  );
  const root = await workspaceRoot();
  await sweepServers(root);
  const workspace = await openWorkspace({ root });
  const services = openServices({ root, running });
  try {
    const kernels = new Map<string, PreparedKernel>();
    const prepare = async (subject: Subject, variant: Variant | null, packages: CachedPackage[]) => {
      const name = kernelName(subject.name, variant?.name ?? null);
      const target = join(workspace.directory, 'kernels', name);
      await mkdir(target, { recursive: true });
      kernels.set(name, await prepareKernel({ campaign, file, subject, variant, packages, target }));
    };
    const packages = new Map<string, CachedPackage[]>();
    for (const subject of subjectsOf(campaign)) {
      const installed = await installPackages(subject, directory);
      packages.set(subject.name, installed);
      await prepare(subject, null, installed);
      for (const variant of options.variants)
        if ((variant.subject ?? subject.name) === subject.name) await prepare(subject, variant, installed);
    }
    return await work({
      campaign,
      driver: options.driver,
      probe: options.probe ?? false,
      timing: campaign.timing[options.driver] as Timing,
      invariants: campaign.invariants ?? allInvariants,
      kernel(subject, variant) {
        const kernel = kernels.get(kernelName(subject, variant));
        if (kernel) return kernel;
        const names = subjectsOf(campaign).map(({ name }) => name);
        throw new CampaignError({
          problem: `a plan's cast names the subject ${subject}, which the campaign does not have`,
          remedy: oneOf(subject, names),
        });
      },
      packages: (subject) => (packages.get(subject) ?? []).map(({ directory: _, ...installed }) => installed),
      root,
      services,
      compileCache: join(workspace.directory, 'compile-cache'),
      runDirectory: null,
      keep: options.keep,
      versions: await versionsOf(directory),
    });
  } finally {
    await services.close();
    await workspace.remove();
  }
}

function kernelName(subject: string, variant: string | null): string {
  return `${encodeURIComponent(subject)}~${variant ?? ''}`;
}
