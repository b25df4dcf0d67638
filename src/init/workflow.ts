import type { Project } from './project.ts';

/** A workflow for GitHub that runs the campaign for each pull request, and keeps its report. */
export function workflow(name: string, { install, exec }: Pick<Project, 'install' | 'exec'>): string {
  return `name: crash-campaign
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  ${name}:
    # Signals and /proc are what kernels are killed and watched by.
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: ${install}
      - run: ${exec} crash-campaign run ${name} --out reports/runs/ci --reporter github --reporter html=reports/runs/ci/report.html
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: crash-campaign-${name}
          path: reports/runs/ci
`;
}
