import type { Commands } from '../lib/run-command-line.ts';

/** The commands of `parley-contract`. */
export const packageCommands: Commands = {
  init: {
    about: 'write a small contract, its settings, a server and its tests',
    load: async () => (await import('./init.ts')).init,
  },
  doctor: {
    about: 'say what works with a contract, and what does not',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  generate: {
    about: 'generate types, operation table, validators and bundle',
    load: async () => (await import('./generate.ts')).generate,
  },
  lint: {
    about: 'lint the contract',
    load: async () => (await import('./lint.ts')).lint,
  },
  check: {
    about: 'check the contract, and what a change breaks',
    load: async () => (await import('./contract-check.ts')).check,
  },
  mock: {
    about: 'serve the examples, and validate requests',
    load: async () => (await import('./mock.ts')).mock,
  },
  test: {
    about: 'test a running service against the contract',
    load: async () => (await import('./conformance.ts')).test,
  },
  coverage: {
    about: 'show which parts of the contract tests covered',
    load: async () => (await import('./contract-coverage.ts')).coverage,
  },
  docs: {
    about: 'build the documentation portal',
    load: async () => (await import('./docs-build.ts')).docs,
  },
  uses: {
    about: 'write a manifest of what a project uses of an API',
    load: async () => (await import('./uses.ts')).uses,
  },
  survive: {
    about: 'test whether a client survives what the contract allows',
    load: async () => (await import('./survive.ts')).survive,
  },
};
