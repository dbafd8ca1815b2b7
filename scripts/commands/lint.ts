import { readPolicy } from '../contract/check/policy.ts';
import type { ContractConfig } from '../contract/config.ts';
import { readConfig } from '../contract/read-config.ts';
import { allowOutsideOption } from '../lib/allow-outside.ts';
import { command } from '../lib/command.ts';
import { runRedocly } from '../lib/redocly-cli.ts';
import { printLines } from '../lib/terminal.ts';

export const lint = command<{ api: string; config?: string; allowOutside: string[] }, ContractConfig>({
  readSettings: readConfig,
  declare: (program, contractConfig, name) =>
    program
      .description('Lint the contract with Redocly and the rules of its configuration.')
      .option('--api <file>', 'OpenAPI document (3.0 to 3.2, or Swagger 2.0)', contractConfig.api)
      .addOption(allowOutsideOption(contractConfig.allowOutside))
      .option(
        '--config <file>',
        "configuration of Redocly (default: redocly.yaml here, if it lists the contract, or in the contract's folder; otherwise the rules of OpenAPI itself)",
      )
      .addHelpText(
        'after',
        `
Examples:
  ${name}
  ${name} --api other/openapi.yaml

Exit codes: 0 no errors, 1 errors, 2 usage error, or the document cannot be read.`,
      ),
  async run({ api, config, allowOutside }) {
    // Imported lazily, so that --help and usage errors stay fast.
    const { loadContract } = await import('../contract/load/load-contract.ts');

    // Redocly does not report all mistakes that make a document unusable.
    await loadContract(api, { allowOutside });
    const { redocly } = await readPolicy(config, api);
    const { code, output, errors } = await runRedocly(['lint', api, '--config', redocly]);
    // Redocly writes texts of the document as they are. Indented, they cannot imitate a line of this command.
    printLines(output.trimEnd().replaceAll(/^/gm, '  '));
    printLines(errors.trimEnd().replaceAll(/^/gm, '  '), 'error');
    return code === 0 ? 0 : 1;
  },
});
