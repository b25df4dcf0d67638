'use strict';
/**
 * The probe: preloaded into a kernel process, it puts the clock, the timers, the file system, identity and randomness of the
 * program under the conductor's control, and only then lets the program begin. Without a channel it does nothing, so that
 * worker threads and child processes, which inherit the preload, don't speak on a line that is not theirs.
 */
if (process.env.CRASH_CAMPAIGN_CHANNEL !== undefined) {
  const channel = require('./channel.cjs');
  channel.greet();
  delete process.env.CRASH_CAMPAIGN_CHANNEL;
  const rooms = [
    require('./paths.cjs'),
    require('./clock.cjs'),
    require('./timers.cjs'),
    require('./randomness.cjs'),
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
