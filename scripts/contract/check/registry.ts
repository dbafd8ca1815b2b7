import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Check } from './check.ts';

/** All checks, in the order of the report. Each check imports its module when it runs: some take seconds to load. */
export const contractChecks: readonly Check[] = [
  {
    name: 'lint',
    question: 'Is the contract valid OpenAPI that follows the rules of the configuration?',
    forAny: true,
    run: async (context) => (await import('./checks/lint.ts')).checkLint(context),
  },
  {
    name: 'score',
    question: 'Is the contract as easy to use as configured, by redocly score?',
    forAny: true,
    isOn: ({ policy }) => policy.minimumScore !== undefined,
    run: async (context) => (await import('./checks/score.ts')).checkScore(context),
  },
  {
    name: 'generated',
    question: 'Are the generated files up to date?',
    forAny: false,
    run: async (context) => (await import('./checks/generated.ts')).checkGenerated(context),
  },
  {
    name: 'examples',
    question: 'Is every example of a request, response, header and event valid?',
    forAny: true,
    run: async (context) => (await import('./checks/examples.ts')).checkExamples(context),
  },
  {
    name: 'changes',
    question: 'Are breaking changes announced by version and changelog?',
    forAny: true,
    run: async (context) => (await import('./checks/changes.ts')).checkChanges(context),
  },
  {
    name: 'workflows',
    question: 'Do the workflows of the Arazzo documents beside the contract succeed?',
    forAny: false,
    isOn: ({ config, api }) =>
      config.startService !== undefined && existsSync(join(dirname(api), 'workflows')),
    run: async (context) => (await import('./checks/workflows.ts')).checkWorkflows(context),
  },
];
