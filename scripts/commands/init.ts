import { Command } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { initProject } from '../contract/init/init-project.ts';
import { commandName } from '../lib/command-name.ts';
import { printJson, printLine, printLines, reportFailure, successLine } from '../lib/terminal.ts';

ignoreBrokenPipe();

const name = commandName('init');

const program = exitWithUsageCode(new Command(name))
  .description(
    'Write a small contract, its settings, a server, its tests and a workflow for pull requests. Files that exist are kept.',
  )
  .argument('[folder]', 'the folder of the project', '.')
  .option('--force', 'overwrite files that exist')
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    `
Examples:
  ${name}
  ${name} my-api

Then: npm install /path/to/parley-contract-VERSION.tgz && npm run generate && npm test && npm start

Exit codes: 0 success, 1 a file cannot be written, 2 usage error.`,
  );
const { force = false, json = false } = program.parse().opts<{ force?: true; json?: true }>();

try {
  const { written, kept, isInstalled } = await initProject(program.args[0] ?? '.', force);
  // Without the tarball, npm would look for a package of this name in the registry.
  const install = isInstalled ? 'npm install' : 'npm install /path/to/parley-contract-VERSION.tgz';
  if (json) printJson({ written, kept, next: install });
  else {
    for (const file of written) printLine(successLine(`wrote ${file}`));
    for (const file of kept) printLine(`  kept ${file}, which exists`);
    printLines(`\nNext: ${install} && npm run generate && npm test && npm start`);
  }
} catch (error) {
  reportFailure(error, json);
}
