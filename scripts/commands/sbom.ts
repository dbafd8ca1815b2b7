import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { contractVersion } from '../../generated/operations.ts';
import { command } from '../lib/command.ts';
import { type BillOfMaterials, productionBom } from '../lib/production-packages.ts';
import { printJson } from '../lib/terminal.ts';

const maxBytes = 64 * 1_048_576;

export const sbom = command<object>({
  declare: (program) =>
    program
      .description(
        'Print the bill of materials (CycloneDX, JSON): every run-time dependency with its version, digest and, if package-lock.json has it, licence.',
      )
      .addHelpText(
        'after',
        '\nDevelopment dependencies are not included.\n\nExample:\n  npm run --silent sbom > parley.cdx.json\n\nExit codes: 0 success, 2 usage error, or npm failed.',
      ),
  async run() {
    // Does not use --omit dev, because npm 11.19 would also omit production packages that development packages need.
    const { stdout } = await promisify(execFile)(
      'npm',
      ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
      { maxBuffer: maxBytes },
    );
    const bill: BillOfMaterials = JSON.parse(stdout);
    const { name, packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    printJson(productionBom(bill, packages, { name, version: contractVersion }), 2);
    return 0;
  },
});
