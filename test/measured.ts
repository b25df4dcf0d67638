import { execa } from 'execa';

/** What a command of ours took, and its peak memory: its own, without that of the processes that it started. */
export async function measured(args: string[]) {
  const tell = `process.on('exit', () => { const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage(); console.error('peak', maxRSS, 'cpu', userCPUTime + systemCPUTime); })`;
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(tell)}`];
  const began = performance.now();
  const { stdout, stderr, exitCode } = await execa(process.execPath, [...preload, 'bin/crash-campaign.js', ...args], { reject: false });
  const [, peak, cpu] = /^peak (\d+) cpu (\d+)$/m.exec(stderr) ?? [];
  return { exitCode, stdout, wall_ms: performance.now() - began, cpu_ms: Number(cpu) / 1000, peak_mb: Number(peak) / 1024 };
}
