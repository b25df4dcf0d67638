'use strict';
/**
 * The probe: preloaded into a kernel process, it puts the clock, the timers, the file system, identity and randomness of the
 * program under the conductor's control, and only then lets the program begin. Without a channel it does nothing, so that
 * worker threads and child processes, which inherit the preload, don't speak on a line that is not theirs.
 * Under the live driver it controls nothing, and only tells of each operation on the state directory.
 */
const { readFileSync } = require('node:fs');
const { compileFunction } = require('node:vm');

/** @type {Map<string, { exports: any }>} */
const rooms = new Map();

/**
 * Loads a room of the probe. Node's own `require` would look for each along the file system, which costs a third of the
 * probe's start, and would leave them where the program can see them.
 * @param {string} name
 */
function enter(name) {
  if (!name.startsWith('./')) return require(name);
  let room = rooms.get(name);
  if (room === undefined) {
    room = { exports: {} };
    rooms.set(name, room);
    const filename = `${__dirname}${name.slice(1)}`;
    compileFunction(readFileSync(filename, 'utf8'), ['module', 'require'], { filename })(room, enter);
  }
  return room.exports;
}

/** The program and what it starts see no trace of how the probe came in. */
function forget() {
  delete process.env.CRASH_CAMPAIGN_CHANNEL;
  delete process.env.CRASH_CAMPAIGN_OBSERVE;
  delete require.cache[__filename];
  const argument = process.execArgv.indexOf(__filename);
  if (argument > 0) process.execArgv.splice(argument - 1, 2);
  const options = process.env.NODE_OPTIONS?.split(`--require "${__filename.replace(/[\\"]/g, '\\$&')}"`)
    .join('')
    .trim();
  if (options === '') delete process.env.NODE_OPTIONS;
  else if (options !== undefined) process.env.NODE_OPTIONS = options;
}

if (process.env.CRASH_CAMPAIGN_CHANNEL !== undefined) {
  const { greet, observing } = enter('./channel.cjs');
  greet();
  forget();
  const everything = [
    'paths',
    'clock',
    'timers',
    'on-demand',
    'randomness',
    'thread-pool',
    'machine-files',
    'fs',
    'identity',
    'output',
    'exit',
    'external',
  ];
  const inOrder = (observing ? ['paths', 'fs', 'identity'] : everything).map((name) => enter(`./${name}.cjs`));
  for (const room of inOrder) room.install();
  require('node:module').syncBuiltinESMExports();
}
