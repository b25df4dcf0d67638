import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What a folder tells of the project in it. */
export interface Project {
  /** Absolute. */
  directory: string;
  /** In kebab case. */
  name: string;
  hasManifest: boolean;
  /** Whether package.json asks for this package already. */
  hasCrashCampaign: boolean;
  /** How its packages are installed from scratch, and how a program of theirs is run. */
  install: string;
  exec: string;
}

const LOCKFILES: [file: string, commands: Pick<Project, 'install' | 'exec'>][] = [
  ['pnpm-lock.yaml', { install: 'corepack enable && pnpm install --frozen-lockfile', exec: 'pnpm exec' }],
  ['yarn.lock', { install: 'corepack enable && yarn install --immutable', exec: 'yarn' }],
  ['package-lock.json', { install: 'npm ci', exec: 'npx' }],
];

export function lookAtProject(directory: string): Project {
  const path = join(directory, 'package.json');
  const hasManifest = existsSync(path);
  const manifest = hasManifest ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const packages = { ...manifest.dependencies, ...manifest.devDependencies };
  const [, commands = { install: 'npm install', exec: 'npx' }] = LOCKFILES.find(([file]) => existsSync(join(directory, file))) ?? [];
  return {
    directory,
    name: kebab(String(manifest.name ?? '').replace(/^@[^/]*\//, '')) ?? kebab(basename(directory)) ?? 'my-kernel',
    hasManifest,
    hasCrashCampaign: manifest.name === 'crash-campaign' || 'crash-campaign' in packages,
    ...commands,
  };
}

/** A name as campaigns have it; null when nothing of it can be kept. */
export function kebab(text: string): string | null {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').replace(/^[0-9-]+/, '');
  return name === '' ? null : name;
}
