import { existsSync, readdirSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Campaign, ServiceKind } from './campaign.ts';
import { CampaignError } from './campaign-error.ts';
import { defineCampaign } from './define.ts';
import { oneOf } from './nearest.ts';

export interface LoadedCampaign {
  campaign: Campaign;
  /** Absolute. */
  file: string;
  /** Of the file: what `kernel.directory` is relative to. */
  directory: string;
  /** Services that run already, by their URLs: the harness then starts none of that kind. */
  running?: Partial<Record<ServiceKind, string>>;
}

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs'];
const ROOT = new URL('../../', import.meta.url);
/** `.ts` when we run from source, `.js` when we were built. */
const OWN_EXTENSION = extname(import.meta.url);

/**
 * Loads and checks a campaign: by name, from `campaigns/<name>/campaign.ts` under `cwd` or in this project (`museum/npm-lockfile-4` too); or by the path of its file or folder.
 *
 * What the file imports from `crash-campaign` is this running instance, wherever the file lies and whatever is installed beside it.
 * @throws {CampaignError} Where it is not found, can't be loaded, or is not a valid campaign.
 */
export async function loadCampaign(nameOrPath: string, { cwd = process.cwd() }: { cwd?: string } = {}): Promise<LoadedCampaign> {
  const { file, isNamed } = findCampaign(nameOrPath, cwd);
  const directory = dirname(file);
  const campaign = check(await importDefault(file), file);
  if (isNamed && campaign.name !== basename(nameOrPath))
    throw new CampaignError({
      file,
      field: 'name',
      given: `'${campaign.name}'`,
      remedy: `Write the name of its folder, '${basename(nameOrPath)}'.`,
    });
  if (!isDirectory(resolve(directory, campaign.kernel.directory ?? '.')))
    throw new CampaignError({
      file,
      field: 'kernel.directory',
      given: `'${campaign.kernel.directory}'`,
      remedy: `There is no such folder in ${directory}: write the kernel's folder, relative to the campaign file.`,
    });
  return { campaign, file, directory };
}

/** The campaigns that can be loaded by name, in alphabetical order. */
export function listCampaigns(cwd: string = process.cwd()): string[] {
  const names = campaignFolders(cwd).flatMap((folder) =>
    (isDirectory(folder) ? readdirSync(folder) : []).filter((name) => fileIn(join(folder, name))),
  );
  return [...new Set(names)].sort();
}

function campaignFolders(cwd: string): string[] {
  return [resolve(cwd, 'campaigns'), fileURLToPath(new URL('campaigns', ROOT))];
}

function findCampaign(nameOrPath: string, cwd: string): { file: string; isNamed: boolean } {
  const path = resolve(cwd, nameOrPath);
  const looksLikePath =
    nameOrPath.includes('/') || nameOrPath.includes(sep) || nameOrPath.startsWith('.') || EXTENSIONS.includes(extname(nameOrPath));
  // `museum/npm-lockfile-4` is the name of one that lies among others of its kind, unless a path leads there.
  const named = nameOrPath.startsWith('.')
    ? undefined
    : campaignFolders(cwd).flatMap((folder) => fileIn(join(folder, nameOrPath)) ?? [])[0];
  if (!looksLikePath && named !== undefined) return { file: named, isNamed: true };
  const file = isDirectory(path) ? fileIn(path) : existsSync(path) ? path : null;
  if (file) return { file, isNamed: false };
  if (named !== undefined) return { file: named, isNamed: true };

  if (isDirectory(path))
    throw new CampaignError({
      file: path,
      problem: 'there is no campaign.ts in that folder',
      remedy: 'Give the path of a campaign file, or write one.',
    });
  if (looksLikePath)
    throw new CampaignError({
      file: path,
      problem: 'there is no such file',
      remedy: `Give the path of a campaign file or of its folder. Paths are relative to ${cwd}.`,
    });
  const names = listCampaigns(cwd);
  throw new CampaignError({
    given: nameOrPath,
    problem: `there is no campaign ${nameOrPath}`,
    remedy:
      names.length > 0 ? oneOf(nameOrPath, names) : `Write one in ${join(cwd, 'campaigns', nameOrPath, 'campaign.ts')}, or give a path.`,
  });
}

function fileIn(folder: string): string | null {
  return EXTENSIONS.map((extension) => join(folder, `campaign${extension}`)).find((file) => existsSync(file)) ?? null;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function check(campaign: unknown, file: string): Campaign {
  if (campaign === undefined)
    throw new CampaignError({ file, field: 'the default export', remedy: 'Write export default defineCampaign({ … }).' });
  try {
    return defineCampaign(campaign as Campaign);
  } catch (error) {
    throw inFile(error, file);
  }
}

async function importDefault(file: string): Promise<unknown> {
  resolveToThisInstance();
  const url = pathToFileURL(file).href;
  campaignUrls.add(url);
  try {
    const module = (await import(url)) as { default?: unknown };
    return module.default;
  } catch (error) {
    throw inFile(error, file);
  }
}

/** What went wrong while the file was loaded, said about the file. */
function inFile(error: unknown, file: string): CampaignError {
  if (error instanceof CampaignError) {
    const { field, given, problem, remedy } = error;
    return new CampaignError({ file, field, given, problem, remedy }, { cause: error });
  }
  const { message, code = '', stack = '' } = (error instanceof Error ? error : new Error(String(error))) as NodeJS.ErrnoException;
  const fail = (problem: string, remedy: string) => new CampaignError({ file, problem, remedy }, { cause: error });

  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
    return fail(`it imports what is not there: ${firstLine(message)}`, 'Correct the import, or install the package beside the campaign.');
  if (code === 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING')
    return fail('node runs no TypeScript below node_modules', 'Move the campaign out of there, or write it in JavaScript.');
  if (error instanceof SyntaxError && /outside a module|Unexpected token 'export'/.test(message))
    return fail(
      `a file that it imports is no module: ${firstLine(message)}`,
      'Name that file .mts or .mjs, or put a package.json with "type": "module" beside it.',
    );
  if (error instanceof SyntaxError && /does not provide an export named/.test(message))
    return fail(firstLine(message), 'Correct the name. A type is imported with import type.');
  if (error instanceof SyntaxError) {
    const where = /^(?:file:\/\/)?(\S+:\d+)\n/.exec(stack)?.[1];
    return fail(
      `it is not valid ${extname(file).endsWith('ts') ? 'TypeScript that node can strip' : 'JavaScript'}: ${firstLine(message)}${where ? ` at ${where}` : ''}`,
      'Correct the syntax. Enums, namespaces and parameter properties are not supported.',
    );
  }
  const at = stack.split('\n').find((line) => line.includes(pathToFileURL(file).href));
  return fail(
    `it threw an error when it was loaded: ${firstLine(message)}${at ? ` ${at.trim()}` : ''}`,
    'A campaign only declares: correct what it does at its top level.',
  );
}

function firstLine(message: string): string {
  return message.trim().split('\n')[0]?.replace(/\.$/, '') ?? '';
}

/** Campaign files, as URLs. Each is a module, whatever the package.json above it says of files with its extension. */
const campaignUrls = new Set<string>();
let isHooked = false;

/** Two instances would have two sets of everything: an error of one is no instance of the other's class. */
function resolveToThisInstance(): void {
  if (isHooked) return;
  isHooked = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const match = /^crash-campaign(?:\/scenarios\/([\w-]+))?$/.exec(specifier);
      if (!match) {
        const resolved = nextResolve(specifier, context);
        return campaignUrls.has(resolved.url) ? { ...resolved, format: formatOf(resolved.url) } : resolved;
      }
      const scenario = match[1];
      const url = new URL(scenario === undefined ? `src/index${OWN_EXTENSION}` : `scenarios/${scenario}${OWN_EXTENSION}`, ROOT);
      if (!existsSync(url)) throw unknownScenario(specifier, scenario ?? '');
      return { url: url.href, shortCircuit: true };
    },
  });
}

function formatOf(url: string): 'module-typescript' | 'module' {
  return /\.m?ts$/.test(url) ? 'module-typescript' : 'module';
}

function unknownScenario(specifier: string, scenario: string): CampaignError {
  const names = readdirSync(new URL('scenarios', ROOT))
    .filter((name) => name.endsWith(OWN_EXTENSION) && !name.endsWith('.d.ts'))
    .map((name) => basename(name, OWN_EXTENSION));
  return new CampaignError({ given: specifier, problem: `it imports ${specifier}, which is not there`, remedy: oneOf(scenario, names) });
}
