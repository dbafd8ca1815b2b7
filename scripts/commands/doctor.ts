import { type ApiOptions, contractCommand } from '../contract/contract-command.ts';
import { failureLine, printJson, printLine, successLine } from '../lib/terminal.ts';

export const doctor = contractCommand<ApiOptions & { json?: true }>({
  declare: (program, _config, name) =>
    program
      .description(
        'Run all that the tools do with a contract, and say what does not work, with file and line.',
      )
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        `
It compiles everything that the middleware and the mock use, generates the files and the portal, validates the examples, and
sends valid requests of each operation to the mock, but none to a service. That takes about 5 s for 100 operations.

Examples:
  ${name}
  ${name} --api other/openapi.yaml

Exit codes: 0 every tool works with the whole contract, 1 with a part of it, 2 usage error, or the contract is refused.`,
      ),
  async run({ api, allowOutside, json }, { settings, progress }) {
    // Imported lazily, so that --help and usage errors stay fast.
    const { examineContract } = await import('../contract/doctor/examine-contract.ts');

    const scope = { ...settings, allowOutside };
    const { title, version, operations, limits } = await examineContract(api, scope, progress.show);
    progress.end();
    if (json) printJson({ title, version, operations, limits }, 2);
    else {
      printLine(
        successLine(`${api}: ${title} ${version}, ${operations} operations. Node ${process.version}.`),
      );
      for (const limit of limits) printLine(failureLine(limit));
      if (limits.length === 0) printLine(successLine('Every tool works with the whole contract.'));
    }
    return limits.length > 0 ? 1 : 0;
  },
});
