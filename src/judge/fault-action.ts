/** What a fault, in its printed form, does: `s2@op#12:pause=45s` does `pause`. */
export function actionOf(fault: string): string {
  return /:([a-z-]+)(?:=[^:]*|=until:.*)?$/.exec(fault)?.[1] ?? '';
}
