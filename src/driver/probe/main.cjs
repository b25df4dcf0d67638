'use strict';
/**
 * The probe: preloaded into a kernel process, it puts the clock, the timers, the file system, identity and randomness of the
 * program under the conductor's control, and only then lets the program begin. Without a channel it does nothing, so that
 * worker threads and child processes, which inherit the preload, don't speak on a line that is not theirs.
 */

/** The program and what it starts see no trace of how the probe came in. */
function forget() {
  delete process.env.CRASH_CAMPAIGN_CHANNEL;
  const argument = process.execArgv.indexOf(__filename);
  if (argument > 0) process.execArgv.splice(argument - 1, 2);
  const options = process.env.NODE_OPTIONS?.split(`--require "${__filename.replace(/[\\"]/g, '\\$&')}"`)
    .join('')
    .trim();
  if (options === '') delete process.env.NODE_OPTIONS;
  else if (options !== undefined) process.env.NODE_OPTIONS = options;
}

if (process.env.CRASH_CAMPAIGN_CHANNEL !== undefined) {
  const channel = require('./channel.cjs');
  channel.greet();
  forget();
  const rooms = [
    require('./paths.cjs'),
    require('./clock.cjs'),
    require('./timers.cjs'),
    require('./on-demand.cjs'),
    require('./randomness.cjs'),
    require('./thread-pool.cjs'),
    require('./machine-files.cjs'),
    require('./fs.cjs'),
    require('./identity.cjs'),
    require('./output.cjs'),
    require('./exit.cjs'),
    require('./external.cjs'),
  ];
  for (const room of rooms) room.install();
  require('node:module').syncBuiltinESMExports();
}
