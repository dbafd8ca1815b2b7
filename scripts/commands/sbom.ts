import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { type BillOfMaterials, productionBom } from '../lib/production-packages.ts';
import { printLine, reportFailure } from '../lib/terminal.ts';

ignoreBrokenPipe();

exitWithUsageCode(new Command('npm run --silent sbom --'))
  .description(
    'Prints the bill of materials (CycloneDX, JSON): every package that the service runs on, with its version, its digest, and its licence where package-lock.json has it.',
  )
  .addHelpText(
    'after',
    '\nWhat only developing needs is not in it.\n\nExample:\n  npm run --silent sbom > parley.cdx.json\n\nExit codes: 0 printed, 2 called wrongly, or npm could not tell.',
  )
  .parse();

const maxBytes = 64 * 1_048_576;

try {
  // Not with --omit dev: npm 11.19 would also omit production packages that development packages need, such as yaml.
  const { stdout } = await promisify(execFile)(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
    { maxBuffer: maxBytes },
  );
  const bill: BillOfMaterials = JSON.parse(stdout);
  const { name, packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  printLine(JSON.stringify(productionBom(bill, packages, name), null, 2));
} catch (error) {
  reportFailure(error, false);
}
