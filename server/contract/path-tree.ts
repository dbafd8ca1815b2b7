export interface PathTree<Value> {
  /** Adds a path template such as `/contacts/{id}`. If two templates match the same paths, the first one wins. */
  add: (template: string, value: Value) => void;
  /**
   * Finds the value of the template that matches a path, with the encoded values of its parameters. Segments without
   * parameters take precedence (OpenAPI 3.1.1, section 4.8.8.2). Each branch of the tree is visited once at most.
   */
  find: (path: string) => { value: Value; parameters: readonly string[] } | undefined;
}

interface Branch<Value> {
  /** Segments without parameters, by text without percent-encoding. */
  fixed: Map<string, Branch<Value>>;
  /**
   * Segments with parameters: those with the most text besides their parameters first. Without a shape, the segment is one
   * parameter.
   */
  patterns: { template: string; shape: RegExp | undefined; branch: Branch<Value> }[];
  value?: Value;
}

const createBranch = <Value>(): Branch<Value> => ({ fixed: new Map(), patterns: [] });

/**
 * Creates an empty path tree.
 * @param isLoose whether a path matches in any case, and with one trailing slash more or less than its template
 */
export function createPathTree<Value>(isLoose = false): PathTree<Value> {
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
    const exact = fixed.get(decoded(fold(segment)));
    const found = exact && follow(exact, segments, at + 1, parameters);
    if (found) return found;
    for (const { shape, branch } of patterns) {
      const values = shape ? shape.exec(segment)?.slice(1) : [segment];
      const match = values && follow(branch, segments, at + 1, [...parameters, ...values]);
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

/** Removes percent-encoding that changes nothing (RFC 3986, section 6.2.2.2). */
function decoded(text: string): string {
  try {
    return text.includes('%') ? decodeURI(text) : text;
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
    const known = fixed.get(decoded(segment)) ?? createBranch<Value>();
    fixed.set(decoded(segment), known);
    return known;
  }
  const template = segment.replaceAll(/\{[^}]*\}/g, '{}');
  const known = patterns.find((pattern) => pattern.template === template);
  if (known) return known.branch;
  const literals = template.split('{}').map((text) => encodeURI(decoded(text)));
  const parts = literals.map((text) =>
    text
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/%[\dA-F]{2}/g, (code) => `(?:${code}|${code.toLowerCase()})`),
  );
  // Several parameters of a segment are split where Express splits them: the first one is as long as possible, and the
  // others do not contain the text before them, unless they are that text. So the time is linear.
  const source = parts.reduce((text, part, index) => {
    const before = parts[index - 1] ?? '';
    return `${text}(${index === 1 || before === '' ? '.+' : `(?:(?!${before}).)+|${before}`})${part}`;
  });
  const shape = template === '{}' ? undefined : new RegExp(`^${source}$`, isLoose ? 'i' : '');
  const added = { template, shape, branch: createBranch<Value>() };
  patterns.push(added);
  patterns.sort((one, other) => other.template.length - one.template.length);
  return added.branch;
}
