import { existsSync, readFileSync } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, resolve } from 'node:path';
import type { Campaign, Subject, Variant } from './campaign.ts';
import { CampaignError } from './campaign-error.ts';
import { applyVariant, mayHaveComponents, type SourceFile } from './components.ts';

/** A kernel's folder may have so many bytes, without what is not copied. */
export const KERNEL_BYTES_MAX = 32 * 1024 * 1024;

const NOT_COPIED = ['.git', 'reports'];

/** A copy of the kernel that trials are run from. They may share it: a kernel writes to its state directory only. */
export interface PreparedKernel {
  /** What `{kernel}` stands for, absolute. */
  directory: string;
  /** The command and environment of a session. A command that begins with `node` gets this process's own node. */
  expand(site: { state: string; ttl_ms: number; service?: { url: string; namespace: string } | undefined }): {
    command: string[];
    env: Record<string, string>;
  };
}

/**
 * Copies the kernel of a campaign into the empty directory `target`, and changes the copy as the variant says. Bare imports resolve there as
 * they did at the original place: every `node_modules` on the way up is linked. The packages of the subject come before all of these. Relative imports that lead out of the
 * kernel's folder do not resolve.
 * @throws {CampaignError} When the folder is too large, or its components do not fit the variant.
 */
export async function prepareKernel(options: {
  campaign: Pick<Campaign, 'kernel' | 'variants'>;
  /** The campaign's file, absolute. */
  file: string;
  subject: Pick<Subject, 'env'>;
  variant: Variant | null;
  /** The subject's own, by the name that is imported. */
  packages?: { name: string; directory: string }[];
  target: string;
}): Promise<PreparedKernel> {
  const { kernel } = options.campaign;
  const from = await realpath(resolve(dirname(options.file), kernel.directory ?? '.'));
  const directory = await makePlace(from, await realpath(options.target));
  const edited = new Set(options.variant?.edit?.map(({ file }) => file));
  // A campaign that takes out no components has none: such marks in its kernel are something else.
  const hasComponents = [...(options.campaign.variants ?? []), options.variant].some((variant) => variant?.strip || variant?.replace);
  const sources = await copyTree(from, directory, { edited, files: kernel.files, hasComponents });
  if (options.packages?.length) await linkPackages(directory, options.packages);
  // Components are checked without a variant too, so that a campaign does not find out in the middle that one of its controls can't be made.
  const changed = applyVariant(sources, options.variant ?? { name: 'none' });
  if (options.variant) await Promise.all(changed.map(({ path, text }) => writeFile(join(directory, path), text)));
  return {
    directory,
    expand({ state, ttl_ms, service }) {
      const values = { kernel: directory, state, ttl_ms: String(ttl_ms), service: service?.url ?? '', namespace: service?.namespace ?? '' };
      const fill = (text: string) =>
        text.replace(/(?<!\$)\{(kernel|state|ttl_ms|service|namespace)\}/g, (_, name) => values[name as keyof typeof values]);
      const [program = '', ...rest] = kernel.command;
      const env = Object.entries({ ...kernel.env, ...options.subject.env }).map(([name, text]) => [name, fill(text)]);
      return { command: [program === 'node' ? process.execPath : fill(program), ...rest.map(fill)], env: Object.fromEntries(env) };
    },
  };
}

/** A directory below `target` with the `node_modules` above it that `from` has above it, and of the same kind of package. */
async function makePlace(from: string, target: string): Promise<string> {
  let place = target;
  for (const above of ancestors(from).reverse()) {
    const modules = join(above, 'node_modules');
    if (!existsSync(modules)) continue;
    await symlink(modules, join(place, 'node_modules'));
    place = join(place, 'kernel');
    await mkdir(place);
  }
  const manifest = [from, ...ancestors(from)].map((above) => join(above, 'package.json')).find(existsSync);
  // When it lies in the kernel's folder itself it is copied with it.
  if (manifest !== undefined && dirname(manifest) !== from) {
    const { type = 'commonjs' } = JSON.parse(readFileSync(manifest, 'utf8'));
    await writeFile(join(place, 'package.json'), `${JSON.stringify({ type })}\n`);
  }
  return place;
}

/** Puts packages into the copy's own `node_modules`, in front of whatever has been linked there. */
async function linkPackages(directory: string, packages: { name: string; directory: string }[]): Promise<void> {
  const modules = join(directory, 'node_modules');
  await unfold(modules);
  for (const { name, directory: to } of packages) {
    const place = join(modules, name);
    // A scope is a folder of folders.
    if (name.startsWith('@')) await unfold(dirname(place));
    await rm(place, { recursive: true, force: true });
    await symlink(to, place);
  }
}

/** Makes a directory of a link to one, with links to all that is in it; or an empty one where there is none. */
async function unfold(path: string): Promise<void> {
  const led = await realpath(path).catch(() => null);
  if (led === path) return;
  await rm(path, { force: true });
  await mkdir(path);
  if (led === null) return;
  for (const name of await readdir(led)) await symlink(join(led, name), join(path, name));
}

/** The folders above a folder, nearest first. */
function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...ancestors(above)];
}

/** Returns the files that may have components, and those that are edited. */
async function copyTree(
  from: string,
  to: string,
  { edited, files, hasComponents }: { edited: ReadonlySet<string>; files: string[] | undefined; hasComponents: boolean },
): Promise<SourceFile[]> {
  const sources: SourceFile[] = [];
  let bytes = 0;
  const missing = files?.find((path) => !existsSync(join(from, path)));
  if (missing !== undefined)
    throw new CampaignError({
      field: 'kernel.files',
      given: `'${missing}'`,
      remedy: `There is no such file in ${from}: write what is there, relative to it.`,
    });
  const meant = files?.map((file) => normalize(`${file}/`));
  await copy('.');
  return sources;

  /** Whether it is asked for, or lies in what is, or leads there. */
  function isMeant(path: string): boolean {
    return meant?.some((file) => `${path}/`.startsWith(file) || file.startsWith(`${path}/`)) ?? true;
  }

  async function copy(path: string): Promise<void> {
    const entry = await lstat(join(from, path));
    if (entry.isDirectory()) {
      await mkdir(join(to, path), { recursive: true });
      for (const name of (await readdir(join(from, path))).sort()) {
        if (name === 'node_modules') await symlink(join(from, path, name), join(to, path, name));
        else if (!NOT_COPIED.includes(name) && isMeant(join(path, name))) await copy(join(path, name));
      }
    } else if (entry.isSymbolicLink()) {
      const led = await realpath(join(from, path)).catch(() => null);
      if (led !== null) await symlink(led, join(to, path));
    } else if (entry.isFile()) {
      bytes += entry.size;
      if (bytes > KERNEL_BYTES_MAX) throw tooLarge(from);
      await copyFile(join(from, path), join(to, path));
      const content = await readFile(join(from, path));
      if ((hasComponents && mayHaveComponents(content)) || edited.has(path)) sources.push({ path, text: content.toString('utf8') });
    }
  }
}

function tooLarge(from: string): CampaignError {
  return new CampaignError({
    field: 'kernel.directory',
    problem: `the kernel's folder ${from} has more than ${KERNEL_BYTES_MAX} bytes, and it is copied for every variant`,
    remedy: `Give the kernel a folder of its own. Not copied are node_modules, ${NOT_COPIED.join(', ')}.`,
  });
}
