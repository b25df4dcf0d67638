/** Text that is markup already. Everything else is escaped where it is put into a page. */
export interface Markup {
  readonly markup: string;
}

type Insert = Markup | string | number | null | undefined | false | readonly Insert[];

/**
 * Markup from a template: what is inserted is escaped unless it is markup itself, so that no name, path or message from outside becomes part of the page's own text.
 * `null`, `undefined` and `false` insert nothing, a list inserts its members. Attributes are written in double quotes.
 */
export function markup(parts: TemplateStringsArray, ...inserts: Insert[]): Markup {
  return { markup: parts.reduce((text, part, i) => text + insert(inserts[i - 1]) + part) };
}

function insert(value: Insert): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  if ('markup' in value) return value.markup;
  return value.map(insert).join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** Data for a script: JSON in which nothing can end the element that holds it. */
export function jsonScript(id: string, data: unknown): Markup {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return { markup: `<script type="application/json" id="${id}">${json}</script>` };
}
