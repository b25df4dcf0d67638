/** Variables that are about the harness and not about the machine; a kernel that saw them would behave as it does nowhere else. */
const HARNESS_ONLY =
  /^(npm_|VITEST|CRASH_CAMPAIGN_|NODE_CHANNEL_|(NODE_OPTIONS|NODE_V8_COVERAGE|NODE_UNIQUE_ID|NODE_TEST_CONTEXT|INIT_CWD)$)/;

/** The harness's own environment without what is only about the harness, then what was given, which may set any of it again. */
export function kernelEnvironment(own: NodeJS.ProcessEnv, given: Record<string, string>): Record<string, string> {
  const passed = Object.entries(own).filter(([name]) => !HARNESS_ONLY.test(name)) as [string, string][];
  return { ...Object.fromEntries(passed), ...given };
}
