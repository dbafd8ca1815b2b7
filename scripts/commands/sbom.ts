import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { exitWithTwoOnMisuse, ignoreClosedPipes } from '../../server/lib/cli.ts';
import { type Bill, neededToRun } from '../lib/production-packages.ts';
import { say, sayFailure } from '../lib/terminal.ts';

ignoreClosedPipes();

exitWithTwoOnMisuse(new Command('npm run --silent sbom --'))
  .description(
    'Prints the bill of materials (CycloneDX, JSON): every package that the service runs on, with its version, its digest, and its licence where package-lock.json has it.',
  )
  .addHelpText(
    'after',
    '\nWhat only developing needs is not in it.\n\nExample:\n  npm run --silent sbom > parley.cdx.json\n\nExit codes: 0 printed, 2 called wrongly, or npm could not tell.',
  )
  .parse();

const mostBytes = 64 * 1_048_576;

try {
  // Not with --omit dev: npm 11.19 then leaves out what developing needs as well, such as yaml.
  const { stdout } = await promisify(execFile)(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
    { maxBuffer: mostBytes },
  );
  const bill: Bill = JSON.parse(stdout);
  const { name, packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  say(JSON.stringify(neededToRun(bill, packages, name), null, 2));
} catch (error) {
  sayFailure(error, false);
}
