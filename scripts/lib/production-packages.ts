/** What we look at of a bill of materials (CycloneDX 1.5). */
export interface BillOfMaterials {
  metadata: { component: { name: string; type: string } };
  components: { 'bom-ref': string; name: string; version: string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** What we look at of the entries of a lockfile, by their place under node_modules. */
export type LockedPackages = Record<string, { version?: string; dev?: boolean }>;

const under = 'node_modules/';

/** The name of a package, from its place. */
const nameOf = (location: string): string => location.slice(location.lastIndexOf(under) + under.length);

/** Name and version of each package that is not for developing alone. */
export const productionPackageNames = (packages: LockedPackages): string[] =>
  Object.entries(packages)
    .filter(([location, { dev }]) => location !== '' && !dev)
    .map(([location, { version }]) => `${nameOf(location)}@${version}`);

/**
 * A bill without what is for developing alone, and without the edges that lead there.
 * @param name of the project: npm takes that of the folder
 */
export function productionBom(
  bill: BillOfMaterials,
  packages: LockedPackages,
  name: string,
): BillOfMaterials {
  const needed = new Set(productionPackageNames(packages));
  const components = bill.components.filter((each) => needed.has(`${each.name}@${each.version}`));
  const refs = new Set(components.map((component) => component['bom-ref']));
  const known = new Set(bill.components.map((component) => component['bom-ref']));
  // The project itself is no component, and depends on some.
  const isLeft = (ref: string): boolean => refs.has(ref) || !known.has(ref);
  return {
    ...bill,
    metadata: { ...bill.metadata, component: { ...bill.metadata.component, name, type: 'application' } },
    components,
    dependencies: bill.dependencies
      .filter(({ ref }) => isLeft(ref))
      .map((edge) => ({ ...edge, dependsOn: (edge.dependsOn ?? []).filter(isLeft) })),
  };
}
