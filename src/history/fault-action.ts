/** What a fault, in its printed form, does: `s2@op#12:pause=45s` does `pause`. */
export function actionOf(fault: string): string {
  return /:([a-z-]+)(?:=[^:]*|=until:.*)?$/.exec(fault)?.[1] ?? '';
}

/** Actions that reach beyond the session at which they are placed: whoever held the lock, lived on the host, or had to do with the service. */
const AT_LARGE = new Set(['steal', 'expire', 'corrupt', 'jump', 'power-cut', 'reboot', 'outage']);

/** Whether a fault, in its printed form, may have touched sessions other than the one at which it is placed. */
export function isAtLarge(fault: string): boolean {
  return AT_LARGE.has(actionOf(fault));
}
