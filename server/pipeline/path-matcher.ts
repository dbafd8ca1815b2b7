import type { PathTree } from './path-tree.ts';

interface Branch<Value> {
  /** Segments without parameters, by text. */
  fixed: Map<string, Branch<Value>>;
  /** Segments with parameters: those with the most text besides their parameters first. */
  patterns: { template: string; shape: RegExp; branch: Branch<Value> }[];
  value?: Value;
}

const createBranch = <Value>(): Branch<Value> => ({ fixed: new Map(), patterns: [] });

/**
 * Creates a path tree that runs in browsers. It matches as the tree of the service does; a test compares them.
 * @param isLoose whether a path matches in any case, and with one trailing slash more or less than its template
 */
export function createPathMatcher<Value>(isLoose = false): PathTree<Value> {
  const root = createBranch<Value>();
  const split = isLoose ? segmentsOf : (path: string) => path.split('/');
  const fold = (segment: string) => (isLoose ? segment.toLowerCase() : segment);
  const follow = (
    { fixed, patterns, value }: Branch<Value>,
    segments: readonly string[],
    at: number,
    parameters: readonly string[],
  ): { value: Value; parameters: readonly string[] } | undefined => {
    const segment = segments[at];
    if (segment === undefined) return value === undefined ? undefined : { value, parameters };
    const exact = fixed.get(fold(segment));
    const found = exact && follow(exact, segments, at + 1, parameters);
    if (found) return found;
    for (const { shape, branch } of patterns) {
      const [, ...values] = shape.exec(segment) ?? [];
      const match =
        values.length > 0 ? follow(branch, segments, at + 1, [...parameters, ...values]) : undefined;
      if (match) return match;
    }
    return undefined;
  };
  return {
    add(template, value) {
      const end = split(isLoose ? foldTemplate(template) : template).reduce(
        (branch, segment) => branchFor(branch, segment, isLoose),
        root,
      );
      end.value ??= value;
    },
    find(path) {
      const found = follow(root, split(path), 0, []);
      return found === undefined || found.parameters.includes('') ? undefined : found;
    },
  };
}

/** Returns the segments of a path without the empty one that a trailing slash makes. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  return segments.length > 1 && segments.at(-1) === '' ? segments.slice(0, -1) : segments;
}

/**
 * Returns a path template in lower case and percent-encoded as in requests. Templates that the same paths match get the
 * same text.
 */
export const foldTemplate = (template: string): string =>
  segmentsOf(
    template
      .split(/\{[^}]*\}/)
      .map((text) => encodeURI(decoded(text)).toLowerCase())
      .join('{}'),
  ).join('/');

function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

/** Returns the branch of a segment, which is created if needed. */
function branchFor<Value>(
  { fixed, patterns }: Branch<Value>,
  segment: string,
  isLoose: boolean,
): Branch<Value> {
  if (!segment.includes('{')) {
    const known = fixed.get(segment) ?? createBranch<Value>();
    fixed.set(segment, known);
    return known;
  }
  const template = segment.replaceAll(/\{[^}]*\}/g, '{}');
  const known = patterns.find((pattern) => pattern.template === template);
  if (known) return known.branch;
  const parts = template.split('{}').map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // Several parameters of a segment are split where Express splits them: the first one is as long as possible, and the
  // others do not contain the text before them, unless they are that text. So the time is linear.
  const source = parts.reduce((text, part, index) => {
    const before = parts[index - 1] ?? '';
    return `${text}(${index === 1 || before === '' ? '.+' : `(?:(?!${before}).)+|${before}`})${part}`;
  });
  const shape = new RegExp(`^${source}$`, isLoose ? 'i' : '');
  const added = { template, shape, branch: createBranch<Value>() };
  patterns.push(added);
  patterns.sort((one, other) => other.template.length - one.template.length);
  return added.branch;
}
