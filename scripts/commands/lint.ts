import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Command } from 'commander';
import { contractConfig } from '../../parley-contract.config.ts';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { readPolicy } from '../contract/check/policy.ts';
import { isOwnContract } from '../contract/config.ts';
import { loadContract } from '../contract/load/load-contract.ts';
import { redoclyCommand } from '../lib/redocly-cli.ts';
import { reportFailure } from '../lib/terminal.ts';

ignoreBrokenPipe();

const program = exitWithUsageCode(new Command('npm run lint --'))
  .description('Lint the contract (Redocly and our rules in scripts/contract/lint), then the code (Biome).')
  .option('--api <file>', 'lint only this OpenAPI document (3.0 to 3.2, or Swagger 2.0)')
  .option(
    '--config <file>',
    "with --api: configuration of Redocly (default: redocly.yaml in the document's folder, otherwise the rules of OpenAPI itself)",
  )
  .option('--contract-only', 'do not lint the code')
  .addHelpText(
    'after',
    `
Examples:
  npm run lint
  npm run lint -- --api other/openapi.yaml

Exit codes: 0 no errors, 1 errors, 2 usage error, or the document cannot be read.`,
  );
const {
  api = contractConfig.api,
  config,
  contractOnly,
} = program.parse().opts<{ api?: string; config?: string; contractOnly?: true }>();

try {
  // Redocly does not report all mistakes that make a document unusable.
  await loadContract(api);
  const { redocly } = await readPolicy(config, api);
  const { command, given, env } = redoclyCommand(['lint', api, '--config', redocly]);
  const isValid = await succeeds(command, given, env);
  const isOwn = isOwnContract(contractConfig, api);
  if (!isValid || (isOwn && !contractOnly && !(await succeeds('biome', ['check'])))) process.exitCode = 1;
} catch (error) {
  reportFailure(error, false);
}

async function succeeds(command: string, given: string[], env = process.env): Promise<boolean> {
  const [code] = await once(spawn(command, given, { stdio: 'inherit', env }), 'exit');
  return code === 0;
}
