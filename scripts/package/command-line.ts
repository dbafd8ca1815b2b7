import { readFileSync } from 'node:fs';
import { failureLine, printLine, printLines } from '../lib/terminal.ts';

/** Each command's description, and an import of the module that runs it. */
const commands = {
  init: ['write a small contract, its settings, a server and its tests', () => import('../commands/init.ts')],
  doctor: ['say what works with a contract, and what does not', () => import('../commands/doctor.ts')],
  generate: [
    'generate types, operation table, validators and bundle',
    () => import('../commands/generate.ts'),
  ],
  lint: ['lint the contract', () => import('../commands/lint.ts')],
  check: ['check the contract, and what a change breaks', () => import('../commands/contract-check.ts')],
  mock: ['serve the examples, and validate requests', () => import('../commands/mock.ts')],
  test: ['test a running service against the contract', () => import('../commands/conformance.ts')],
  coverage: [
    'show which parts of the contract tests covered',
    () => import('../commands/contract-coverage.ts'),
  ],
  docs: ['build the documentation portal', () => import('../commands/docs-build.ts')],
  uses: ['write a manifest of what a project uses of an API', () => import('../commands/uses.ts')],
  survive: [
    'test whether a client survives what the contract allows',
    () => import('../commands/survive.ts'),
  ],
  comment: ['post the report of check to a pull request', () => import('../commands/contract-comment.ts')],
} as const;

const help = `Usage: parley-contract <command> [options]

Develop an API from its OpenAPI contract.

Commands:
${Object.entries(commands)
  .map(([name, [what]]) => `  ${name.padEnd(10)} ${what}`)
  .join('\n')}

Each command has --help. Settings are read from parley-contract.config.ts or .js in the working directory.

Exit codes: those of the command; 2 usage error.`;

const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name);

const name = process.argv[2] ?? '--help';
if (['--help', '-h', 'help'].includes(name)) printLines(help);
else if (['--version', '-V'].includes(name)) printLine(version());
else if (isCommand(name)) {
  process.argv.splice(2, 1);
  await commands[name][1]().catch(fail);
} else {
  printLine(failureLine(`There is no command ${name}. Run: parley-contract --help`), 'error');
  process.exitCode = 2;
}

function fail(error: unknown): void {
  printLine(failureLine(error instanceof Error ? error.message : String(error)), 'error');
  process.exitCode = 2;
}

/** Returns the version of the package, which is two folders above its commands. */
function version(): string {
  const { version: own }: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return own;
}
