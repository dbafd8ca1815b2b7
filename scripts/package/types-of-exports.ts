/** A module of `exports`, or its conditions `import` and `require`. */
interface Exported {
  types?: string;
  require?: Exported;
}

/**
 * Returns the fields `types` and `typesVersions` of a manifest, for TypeScript with `moduleResolution: node`, which ignores
 * `exports`.
 * @param exports the modules by path; one without types is left out
 */
export function typesOfExports(exports: Readonly<Record<string, string | Exported>>): object {
  const typesOf = (exported: string | Exported | undefined): string | undefined =>
    typeof exported === 'object' ? (exported.types ?? typesOf(exported.require)) : undefined;
  const named = Object.entries(exports).flatMap(([path, exported]): [string, string[]][] => {
    const types = typesOf(exported);
    return path === '.' || types === undefined ? [] : [[path.slice('./'.length), [types]]];
  });
  return { types: typesOf(exports['.']), typesVersions: { '*': Object.fromEntries(named) } };
}
