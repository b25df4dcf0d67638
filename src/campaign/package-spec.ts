/** A package of npm in one exact version. */
export interface PackageSpec {
  /** With its scope: `@workflow/world-local`. */
  name: string;
  version: string;
}

const NAME = /(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*/i;
const VERSION = /\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?/;
const SPEC = new RegExp(`^(${NAME.source})@(${VERSION.source})$`, 'i');

/** `lockfile@1.0.4` as its parts. Null where that is no package in an exact version: a range and a dist-tag name another one tomorrow. */
export function parsePackage(spec: string): PackageSpec | null {
  const [, name, version] = SPEC.exec(spec) ?? [];
  return name === undefined || version === undefined ? null : { name, version };
}

/** The packages that a subject names, each as it is written. */
export function packagesOf({ package: named = [] }: { package?: string | string[] }): string[] {
  return [named].flat();
}
