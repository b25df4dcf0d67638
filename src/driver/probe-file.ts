import { fileURLToPath } from 'node:url';

/** What is preloaded into a kernel's process, absolute. */
export const PROBE = fileURLToPath(new URL('./probe/main.cjs', import.meta.url));
