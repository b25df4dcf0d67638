import { z } from 'zod';

/** The ways in which a mutant is looked for. */
export const STRATEGIES = ['random', 'pct', 'explore', 'explore-power-cut'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** What one strategy made of one mutant (or, null, of the kernel as it is) from one base seed. */
export const cellSchema = z.object({
  mutant: z.string().nullable(),
  strategy: z.enum(STRATEGIES),
  seed: z.int(),
  /** How many trials were run: up to the first that broke an invariant, or all that there were to be. */
  trials: z.int(),
  /** Those that said nothing. */
  void: z.int(),
  /** What the last trial broke, gravest first; empty when nothing did. */
  broke: z.array(z.string()),
  scenario: z.string().nullable(),
  plan: z.string().nullable(),
});
export type Cell = z.infer<typeof cellSchema>;

export const isCaught = ({ broke }: Cell): boolean => broke.length > 0;
