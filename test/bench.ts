/**
 * What is measured and not tested, by name:
 *
 *     npm run bench -- <name> [more]
 */
const BENCHES: Record<string, () => Promise<unknown>> = {
  // What simulation costs.
  sim: () => import('./driver/sim/bench.ts'),
  // How often a comparison of a version with itself raises a false alarm, and how often it sees what has got worse.
  aa: () => import('./compare/bench.ts'),
  // What each fence lock costs a write.
  'fence-lock': () => import('./campaigns/fence-lock/bench.ts'),
  // Whether its takeovers are the same in virtual and in real time: two run directories.
  'fence-lock-clocks': () => import('./campaigns/fence-lock/clocks-bench.ts'),
  // What the gate says, seed for seed, of a kernel that recovers worse.
  gate: () => import('./gate/bench.ts'),
  // Three workers of a queue, one of which is killed again and again, and what a trial costs them.
  fleet: () => import('./campaign-run/fleet/bench.ts'),
  // What a trial costs beside its kernel, and what it finds beside a loop that kills by the clock.
  speed: () => import('./campaign-run/speed-bench.ts'),
  // Time and memory of a run of more and more trials.
  growth: () => import('./campaign-run/growth-bench.ts'),
  // Time and memory of report and compare over 100,000 records.
  records: () => import('./report/bench.ts'),
};

const bench = BENCHES[process.argv[2] ?? ''];
if (bench) await bench();
else {
  process.stderr.write(`which bench? npm run bench -- ${Object.keys(BENCHES).join(' | ')}\n`);
  process.exitCode = 64;
}
