import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The tests start programs from their TypeScript sources with this same node.
if (process.features.typescript !== 'strip') {
  throw new Error(
    `The tests need node 22.18 or later, this is ${process.versions.node}: run \`npm ci\` without --ignore-scripts, then \`npm test\``,
  );
}

export default defineConfig({
  resolve: { alias: [{ find: /^crash-campaign$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) }] },
  // Real processes on a busy machine take what they take: the limits are there for what hangs. A test mostly waits for processes that it has started, so no core is left free.
  test: { include: ['test/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: '100%' },
});
