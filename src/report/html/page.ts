import { readFileSync } from 'node:fs';
import { type Markup, markup } from './markup.ts';

export interface Page {
  title: string;
  heading: Markup;
  sections: Section[];
  footer: Markup;
  /** What the script reads. */
  data?: Markup;
}

/** A section: its id, its name in the table of contents, and itself. */
export type Section = [id: string, name: string, section: Markup];

const STYLES = ['page.css', 'verdict.css', 'tables.css', 'charts.css', 'findings.css', 'timeline.css', 'media.css'];
/** What the page's script is made of, in order: each file may use what the ones before it export. */
const SCRIPTS = ['buttons.js', 'places.js', 'shapes.js', 'drawing.js', 'tip.js', 'timeline.js', 'copy.js'];

/** The whole document. Its policy lets it load nothing and send nothing, whatever gets into it. */
export function page({ title, heading, sections, footer, data }: Page): string {
  const { markup: text } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${{ markup: STYLES.map(asset).join('\n') }}</style>
</head>
<body>
<header><div>${heading}</div><nav aria-label="Sections">${sections.map(([id, name]) => markup`<a href="#${id}">${name}</a>`)}</nav></header>
<main>
${sections.map(([, , section]) => section)}
</main>
<footer>${footer}</footer>
${data}
<script type="module">
${{ markup: script() }}</script>
</body>
</html>
`;
  return text;
}

/** The modules joined into one: their imports and exports fall away, because all of them share its scope. */
function script(): string {
  return SCRIPTS.map((name) =>
    asset(name)
      .replaceAll(/^(import|\/\*\* @import) .*\n/gm, '')
      .replaceAll(/^export /gm, ''),
  ).join('\n');
}

function asset(name: string): string {
  return readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8');
}
