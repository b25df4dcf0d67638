#!/usr/bin/env node
// Plain JavaScript in old syntax, and nothing imported but node's own: a node that is too old must get as far as saying so.
import { existsSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `crash-campaign: found node ${process.versions.node}, needs node 22.18 or later: ` +
      'install one, or run `npm i -D node@24` in a project of your own or `npm ci` in a clone, without --ignore-scripts, and start through `npx crash-campaign` or `npm start`\n',
  );
  process.exitCode = 64;
} else {
  // Until it is known: a promise that never settles would let node end with code 0, which says that all is well.
  process.exitCode = 70;
  let settled = false;
  process.once('beforeExit', () => {
    if (!settled)
      process.stderr.write(
        'crash-campaign: nothing is left to wait for, and there is no result: a function of the campaign (setup, read, the lock adapter) returned a promise that never settles\n',
      );
  });
  // Compiling what has been compiled before takes longer than most commands do. Node would try for ever to make its directory where nothing can be made, as in /proc.
  const cache = join(tmpdir(), 'node-compile-cache');
  try {
    mkdirSync(cache);
  } catch {
    // It is there, or can't be.
  }
  if (existsSync(cache)) module.enableCompileCache();
  // A clone runs from its sources. What is published has none, because node strips no types below node_modules.
  const source = new URL('../src/cli/main.ts', import.meta.url);
  const main = existsSync(source) ? source : new URL('../dist/src/cli/main.js', import.meta.url);
  const end = (/** @type {number} */ exitCode) => {
    settled = true;
    process.exitCode = exitCode;
    // All that is ours is over. What a campaign has left open, such as a connection, would keep this process for ever.
    setTimeout(() => {
      process.stderr.write('crash-campaign: the campaign has left something open, a connection or a timer: it is not waited for\n');
      process.exit();
    }, 3000).unref();
  };
  import(main.href)
    .then((cli) => cli.main(process.argv.slice(2)))
    .then(end, (error) => {
      console.error(error);
      // Node's own code for an uncaught error is 1, and 1 says that an invariant broke.
      end(70);
    });
}
