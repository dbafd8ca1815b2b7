import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { contractVersion } from '../../generated/operations.ts';
import { command } from '../lib/command.ts';
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

/** The parts of a bill of materials (CycloneDX 1.5) that are read here. */
interface BillOfMaterials {
  metadata: { component: { name: string; type: string; purl?: string } };
  components: { 'bom-ref': string; name: string; version: string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** Lockfile entries, keyed by package path, with only the properties that this module reads. */
type LockedPackages = Record<string, { version?: string; dev?: boolean }>;

const under = 'node_modules/';

/** Returns the name of a package from its path in the lockfile. */
const nameOf = (location: string): string => location.slice(location.lastIndexOf(under) + under.length);

/** Returns name and version of each production package. */
export const productionPackageNames = (packages: LockedPackages): string[] =>
  Object.entries(packages)
    .filter(([location, { dev }]) => location !== '' && !dev)
    .map(([location, { version }]) => `${nameOf(location)}@${version}`);

/**
 * Returns a bill of materials without development packages.
 * @param own the project's name and version; npm would use the name of the folder and the version of package.json
 */
function productionBom(
  bill: BillOfMaterials,
  packages: LockedPackages,
  own: { name: string; version: string },
): BillOfMaterials {
  const needed = new Set(productionPackageNames(packages));
  const components = bill.components.filter((each) => needed.has(`${each.name}@${each.version}`));
  const refs = new Set(components.map((component) => component['bom-ref']));
  const known = new Set(bill.components.map((component) => component['bom-ref']));
  // Keeps dependencies of and on the project itself, which is not listed as a component.
  const isLeft = (ref: string): boolean => refs.has(ref) || !known.has(ref);
  const purl = `pkg:npm/${own.name}@${own.version}`;
  return {
    ...bill,
    metadata: {
      ...bill.metadata,
      component: { ...bill.metadata.component, ...own, purl, type: 'application' },
    },
    components,
    dependencies: bill.dependencies
      .filter(({ ref }) => isLeft(ref))
      .map((edge) => ({ ...edge, dependsOn: (edge.dependsOn ?? []).filter(isLeft) })),
  };
}
