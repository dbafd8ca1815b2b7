import '../../server/runtime/compile-cache.mjs';

// Imported dynamically, because Node links all static imports before it runs the first one, and old versions lack some exports.
const { runCommandLine } = await import('../lib/run-command-line.ts');
const { packageCommands } = await import('./package-commands.ts');
await runCommandLine(process.argv.slice(2), {
  name: 'parley-contract',
  about: 'Develop an API from its OpenAPI contract.',
  commands: packageCommands,
});
