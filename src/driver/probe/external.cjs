'use strict';
/** What runs beside this thread and can't be controlled from here: it is reported when it is started. */
const channels = require('node:diagnostics_channel');
const { uncontrolled } = require('./channel.cjs');
const { likeness } = require('./likeness.cjs');

/** @type {Record<string, string>} */
const started = {
  child_process: 'a child process',
  worker_threads: 'a worker thread',
  'net.client.socket': 'a TCP connection',
  'tracing:net.server.listen:asyncStart': 'a server',
  'udp.socket': 'a UDP socket',
};

function install() {
  for (const [name, what] of Object.entries(started)) channels.subscribe(name, () => uncontrolled(what));
  const proc = /** @type {any} */ (process);
  const { binding } = proc;
  const spawnSync = binding('spawn_sync');
  spawnSync.spawn = likeness(
    /** @param {any} options */ (options) => {
      uncontrolled('a child process');
      return spawnSpawn(options);
    },
    spawnSync.spawn,
  );
  proc.binding = likeness((/** @type {string} */ name) => {
    if (name === 'fs') uncontrolled('process.binding');
    return binding(name);
  }, binding);
}
const { spawn: spawnSpawn } = /** @type {any} */ (process).binding('spawn_sync');

module.exports = { install };
