import { execa } from 'execa';

const TELL = `
import { constants, PerformanceObserver } from 'node:perf_hooks';
let heap = 0;
const isWhole = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
new PerformanceObserver((seen) => { if (seen.getEntries().some(isWhole)) heap = process.memoryUsage().heapUsed; }).observe({ type: 'gc' });
process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  console.error('peak', maxRSS, 'heap', heap, 'cpu', userCPUTime + systemCPUTime);
});`;

/** What a command of ours took, its peak memory, and what of its heap the last whole collection left: its own, without that of the processes that it started. */
export async function measured(args: string[]) {
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(TELL)}`];
  const began = performance.now();
  const { stdout, stderr, exitCode } = await execa(process.execPath, [...preload, 'bin/crash-campaign.js', ...args], { reject: false });
  const [, peak, heap, cpu] = /^peak (\d+) heap (\d+) cpu (\d+)$/m.exec(stderr) ?? [];
  const wall_ms = performance.now() - began;
  return { exitCode, stdout, wall_ms, cpu_ms: Number(cpu) / 1000, peak_mb: Number(peak) / 1024, heap_mb: Number(heap) / 1024 / 1024 };
}
