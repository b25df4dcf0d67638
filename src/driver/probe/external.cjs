'use strict';
/** What runs beside this thread and can't be controlled from here: it is reported when it is started. */
const channels = require('node:diagnostics_channel');
const { binding, original } = require('./binding.cjs');
const { uncontrolled } = require('./channel.cjs');
const { likeness } = require('./likeness.cjs');
const { whenAsked } = require('./on-demand.cjs');

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
  whenAsked('sqlite', () => uncontrolled('node:sqlite'));
  const { dlopen } = process;
  process.dlopen = likeness((/** @type {any[]} */ ...args) => {
    uncontrolled('a native addon');
    return /** @type {any} */ (dlopen).apply(process, args);
  }, dlopen);
  const inner = binding('spawn_sync');
  const { spawn } = inner;
  inner.spawn = (/** @type {any} */ options) => {
    uncontrolled('a child process');
    return spawn(options);
  };
  const askedFor = (/** @type {string} */ name) => {
    if (name === 'fs') uncontrolled('process.binding');
    return original.call(process, name);
  };
  /** @type {any} */ (process).binding = likeness(askedFor, original);
}

module.exports = { install };
