'use strict';
/** What keeps this process alive besides its virtual timers. */
const { activeResources, activeHandles } = (() => {
  const { getActiveResourcesInfo, _getActiveHandles } = /** @type {any} */ (process);
  return { activeResources: getActiveResourcesInfo, activeHandles: _getActiveHandles };
})();

/** Over soon, and with no effect but their result: the process is not idle while one of them runs. */
const passing = new Set([
  'Immediate',
  'FSReqPromise',
  'FSReqCallback',
  'FSReqAfterScope',
  'FileHandleCloseReq',
  'CloseReq',
  'ShutdownWrap',
  'WriteWrap',
]);

/** In words that a user knows. @type {Record<string, string>} */
const names = {
  TCPSocketWrap: 'a TCP socket',
  TCPServerWrap: 'a TCP server',
  TCPConnectWrap: 'a TCP connection',
  UDPWrap: 'a UDP socket',
  PipeWrap: 'a pipe',
  PipeServerWrap: 'a server on a pipe',
  ProcessWrap: 'a child process',
  Worker: 'a worker thread',
  MessagePort: 'a message port',
  FSEventWrap: 'fs.watch',
  StatWatcher: 'fs.watchFile',
  GetAddrInfoReqWrap: 'a DNS query',
  GetNameInfoReqWrap: 'a DNS query',
  QueryReqWrap: 'a DNS query',
};

let jobs = 0;

/** Counts a job in Node's thread pool that the list of resources does not show, until what it returns is called. */
function counted() {
  jobs++;
  return () => {
    jobs--;
  };
}

/** @returns {{ soon: boolean, uncontrolled: string[] }} */
function pendingWork() {
  let soon = jobs > 0;
  /** @type {Set<string>} */
  const uncontrolled = new Set();
  /** @type {Record<string, number>} */
  const counts = {};
  for (const type of activeResources.call(process)) counts[type] = (counts[type] ?? 0) + 1;
  delete counts.Timeout;
  for (const type of Object.keys(counts)) {
    if (type === 'TTYWrap' || type === 'PipeWrap') continue;
    if (passing.has(type)) soon = true;
    else uncontrolled.add(names[type] ?? type);
  }
  if (counts.PipeWrap !== undefined || counts.TTYWrap !== undefined) {
    // The standard streams are among the handles for as long as they are open, and do nothing of their own; standard input does.
    for (const handle of activeHandles.call(process)) {
      if (handle?.fd === 1 || handle?.fd === 2) continue;
      if (handle?.fd === 0) uncontrolled.add('standard input');
      else if (handle?.constructor?.name === 'Socket' || handle?.constructor?.name === 'Pipe') uncontrolled.add('a pipe');
    }
  }
  return { soon, uncontrolled: [...uncontrolled] };
}

module.exports = { pendingWork, counted };
