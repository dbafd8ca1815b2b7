import { initProject } from '../contract/init/init-project.ts';
import { command } from '../lib/command.ts';
import { printJson, printLine, printLines, successLine } from '../lib/terminal.ts';

// Without the tarballs, npm would look for packages of these names in the registry.
const installTarballs =
  'npm install /path/to/parley-contract-runtime-VERSION.tgz && npm install --save-dev /path/to/parley-contract-VERSION.tgz';

export const init = command<{ force?: true; json?: true }>({
  declare: (program, name) =>
    program
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

Then: ${installTarballs}
      npm run generate && npm test && npm start

Exit codes: 0 success, 2 usage error, or a file cannot be written.`,
      ),
  async run({ force = false, json }, { args }) {
    const { written, kept, isInstalled } = await initProject(args[0] ?? '.', force);
    const install = isInstalled ? 'npm install' : installTarballs;
    if (json) printJson({ written, kept, next: install });
    else {
      for (const file of written) printLine(successLine(`wrote ${file}`));
      for (const file of kept) printLine(`  kept ${file}, which exists`);
      printLines(`\nNext: ${install} && npm run generate && npm test && npm start`);
    }
    return 0;
  },
});
