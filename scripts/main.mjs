/* Runs a command of `npm run`. JavaScript, because an old Node, which cannot read TypeScript, has to say so. */
import '../server/runtime/compile-cache.mjs';

// Imported dynamically, because Node links all static imports before it runs the first one.
const { runCommandLine } = await import('./lib/run-command-line.ts');
const { repositoryCommands } = await import('./commands/repository-commands.ts');
await runCommandLine(process.argv.slice(2), {
  name: 'node scripts/main.mjs',
  about: 'Run a command of this repository. npm run lists those that have a name there.',
  commands: repositoryCommands,
});
