import { html } from './html/html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown/markdown.ts';
import { ndjson } from './ndjson.ts';
import type { Reporter } from './result.ts';
import { terminal } from './terminal/reporter.ts';

/** Every form that is one text. `github`, which is several, is beside it in github.ts. */
export const REPORTERS = { terminal, json, ndjson, junit, markdown, html } as const satisfies Record<string, Reporter>;
