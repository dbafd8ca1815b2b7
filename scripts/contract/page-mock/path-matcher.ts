import type { PathTree } from '../../../server/pipeline/path-tree.ts';

interface Branch<Value> {
  /** Segments without parameters, by text. */
  fixed: Map<string, Branch<Value>>;
  /** Segments with parameters, in the order of the contract. */
  patterns: { template: string; shape: RegExp; branch: Branch<Value> }[];
  value?: Value;
}

const createBranch = <Value>(): Branch<Value> => ({ fixed: new Map(), patterns: [] });

/** Creates a path tree that runs in browsers. It matches as the tree of the service does; a test compares them. */
export function createPathMatcher<Value>(): PathTree<Value> {
  const root = createBranch<Value>();
  return {
    add(template, value) {
      const end = template.split('/').reduce(branchFor, root);
      end.value ??= value;
    },
    find(path) {
      const found = follow(root, path.split('/'), []);
      return found === undefined || found.parameters.includes('') ? undefined : found;
    },
  };
}

/** Returns the branch of a segment, which is created if needed. */
function branchFor<Value>({ fixed, patterns }: Branch<Value>, segment: string): Branch<Value> {
  if (!segment.includes('{')) {
    const known = fixed.get(segment) ?? createBranch<Value>();
    fixed.set(segment, known);
    return known;
  }
  const template = segment.replaceAll(/\{[^}]*\}/g, '{}');
  const known = patterns.find((pattern) => pattern.template === template);
  if (known) return known.branch;
  const parts = template.split('{}').map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const added = { template, shape: new RegExp(`^${parts.join('(.+?)')}$`), branch: createBranch<Value>() };
  patterns.push(added);
  return added.branch;
}

function follow<Value>(
  { fixed, patterns, value }: Branch<Value>,
  [segment, ...rest]: readonly string[],
  parameters: readonly string[],
): { value: Value; parameters: readonly string[] } | undefined {
  if (segment === undefined) return value === undefined ? undefined : { value, parameters };
  const exact = fixed.get(segment);
  const found = exact && follow(exact, rest, parameters);
  if (found) return found;
  for (const { shape, branch } of patterns) {
    const [, ...values] = shape.exec(segment) ?? [];
    const match = values.length > 0 ? follow(branch, rest, [...parameters, ...values]) : undefined;
    if (match) return match;
  }
  return undefined;
}
