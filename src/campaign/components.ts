import type { Edit, Variant } from './campaign.ts';
import { CampaignError } from './campaign-error.ts';
import { oneOf } from './nearest.ts';

/** One file of a kernel. */
export interface SourceFile {
  /** Relative to the kernel's directory. */
  path: string;
  text: string;
}

/** A part of a kernel that a variant can take out: the lines between `// #component <name>` and `// #end`. */
interface Component {
  name: string;
  path: string;
  /** The line of the opening mark, counted from 1, and that of the closing one. */
  from: number;
  to: number;
}

/** In a comment of any of these languages, or behind nothing but the mark's own `#`, which is a comment itself in many. */
const OPENING = /^\s*(?:\/\/|--|#)?\s*#component\b(.*)$/;
const CLOSING = /^\s*(?:\/\/|--|#)?\s*#end\s*$/;

/** Whether a file can have components. One without an opening mark is never looked into, whatever it uses `#end` for. */
export const mayHaveComponents = (text: string | Buffer): boolean => text.includes('#component');

/**
 * The kernel's files, edited, and with the variant's components stripped or replaced. A component's lines keep their numbers, unless its replacement is longer.
 * @throws {CampaignError} With file and line, for marks that are not balanced, nested or named twice, for a component that no file has, and for an edit whose
 * text does not stand in its file exactly once.
 */
export function applyVariant(sources: SourceFile[], variant: Pick<Variant, 'name' | 'strip' | 'replace' | 'edit'>): SourceFile[] {
  const files = (variant.edit ?? []).reduce((edited, edit) => applyEdit(edited, edit, variant.name), sources);
  const components = files.flatMap(componentsIn);
  const byName = new Map<string, Component>();
  for (const component of components) {
    const other = byName.get(component.name);
    if (other)
      refuse(
        component.path,
        component.from,
        `component ${component.name} is also in ${other.path}:${other.from}`,
        'Give it a name of its own.',
      );
    byName.set(component.name, component);
  }

  const changes = new Map([...(variant.strip ?? []).map((name) => [name, ''] as const), ...Object.entries(variant.replace ?? {})]);
  for (const name of changes.keys()) {
    if (byName.has(name)) continue;
    const problem = `variant ${variant.name} changes the component ${name}, which the kernel does not have`;
    const remedy = byName.size > 0 ? oneOf(name, [...byName.keys()]) : 'Mark it in the source: // #component <name> … // #end.';
    throw new CampaignError({ problem, remedy });
  }

  return files.map(({ path, text }) => {
    const lines = text.split('\n');
    // From the last to the first, so that a longer replacement moves none that is still to be found.
    for (const { name, from, to } of components.filter((component) => component.path === path).reverse()) {
      const replacement = changes.get(name)?.split('\n');
      if (!replacement) continue;
      const height = to - from - 1;
      while (replacement.length < height) replacement.push('');
      lines.splice(from, height, ...(height === 0 && replacement.join('') === '' ? [] : replacement));
    }
    return { path, text: lines.join('\n') };
  });
}

/** A variant whose text has moved on is no longer the one that its name says. */
function applyEdit(files: SourceFile[], { file, from, to }: Edit, variant: string): SourceFile[] {
  const text = files.find(({ path }) => path === file)?.text;
  if (text === undefined)
    throw new CampaignError({
      problem: `variant ${variant} edits ${file}, which the kernel does not have`,
      remedy: "Write the file's path, relative to the kernel's folder.",
    });
  const [before = '', after, ...more] = text.split(from);
  if (after === undefined || more.length > 0)
    throw new CampaignError({
      file,
      problem: `variant ${variant} edits a text that stands ${after === undefined ? 'nowhere' : `${more.length + 1} times`} in it: ${JSON.stringify(from)}`,
      remedy: 'Write a text that stands there exactly once, with its white space.',
    });
  return files.map((other) => (other.path === file ? { path: file, text: `${before}${to}${after}` } : other));
}

function componentsIn({ path, text }: SourceFile): Component[] {
  if (!mayHaveComponents(text)) return [];
  const components: Component[] = [];
  let open: Component | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const number = index + 1;
    const opening = OPENING.exec(line);
    if (opening) {
      const name = opening[1]?.trim() ?? '';
      if (!/^[\w-]+$/.test(name))
        refuse(path, number, `a component can't be named '${name}'`, 'Write one word: // #component heartbeat-renew.');
      if (open)
        refuse(
          path,
          number,
          `component ${name} begins inside component ${open.name}`,
          `End that one first: it began in line ${open.from}.`,
        );
      open = { name, path, from: number, to: number };
    } else if (CLOSING.test(line)) {
      if (!open) return refuse(path, number, '#end ends no component', 'Write // #component <name> before it, or remove it.');
      components.push({ ...open, to: number });
      open = null;
    }
  }
  if (open) refuse(path, open.from, `component ${open.name} has no end`, 'Write // #end behind it.');
  return components;
}

function refuse(path: string, line: number, problem: string, remedy: string): never {
  throw new CampaignError({ file: `${path}:${line}`, problem, remedy });
}
