import { allInvariants } from '../../invariants/all.ts';
import { type Markup, markup } from './markup.ts';

/** What an invariant of ours demands, in a sentence. Of a campaign's own nothing is known but the name. */
export function ruleOf(invariant: string): Markup | null {
  const rule = allInvariants.find(({ name }) => name === invariant)?.title;
  return rule === undefined ? null : markup`<p class="rule">Must be true: <em>${rule}</em></p>`;
}
