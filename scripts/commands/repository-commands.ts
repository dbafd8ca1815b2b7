import type { Commands } from '../lib/run-command-line.ts';
import { packageCommands } from './package-commands.ts';

/** The commands of this repository: those of the package, and those that only we need. */
export const repositoryCommands: Commands = {
  ...packageCommands,
  toolchain: {
    about: 'build and pack parley-contract',
    load: async () => (await import('./toolchain-build.ts')).toolchain,
  },
  'client:build': {
    about: 'build and pack the client',
    load: async () => (await import('./client-build.ts')).clientBuild,
  },
  replay: {
    about: 'replay refused requests through express-openapi-validator',
    load: async () => (await import('./replay.ts')).replay,
  },
  bench: {
    about: 'measure the CPU time of requests and deliveries',
    load: async () => (await import('./bench.ts')).bench,
  },
  'test:contracts': {
    about: 'run every tool on public documents',
    load: async () => (await import('./test-contracts.ts')).testContracts,
  },
  simulate: {
    about: 'simulate processes, clients and faults from a seed',
    load: async () => (await import('./simulate.ts')).simulate,
  },
  sbom: {
    about: 'print the bill of materials',
    load: async () => (await import('./sbom.ts')).sbom,
  },
};
