/** Path templates as a tree of segments, so that finding one takes as long as its path is, however many there are. */

interface Branch<Value> {
  named: Map<string, Branch<Value>>;
  templated: { segment: Segment; branch: Branch<Value> }[];
  value?: Value;
}

/** A segment with parameters in it: `{name}.{kind}`. */
interface Segment {
  text: string;
  names: readonly string[];
  /** Nothing where the whole segment is one parameter. */
  shape: RegExp | undefined;
}

type Parameters = readonly (readonly [name: string, value: string])[];

export interface PathTree<Value> {
  /** @param template `/contacts/{id}` */
  add: (template: string, value: Value) => void;
  /**
   * What stands at a path, with its parameters as they are written there. Where several templates fit, the one whose
   * segments are named comes first (OpenAPI, Path Templating Matching).
   */
  find: (path: string) => { value: Value; parameters: Parameters } | undefined;
}

export function createPathTree<Value>(): PathTree<Value> {
  const root: Branch<Value> = { named: new Map(), templated: [] };

  function add(template: string, value: Value): void {
    let branch = root;
    for (const text of template.split('/'))
      branch = text.includes('{') ? templatedIn(branch, text) : namedIn(branch, text);
    branch.value ??= value;
  }

  function find(path: string) {
    return findBelow(root, path.split('/'), 0, []);
  }

  return { add, find };
}

function namedIn<Value>({ named }: Branch<Value>, text: string): Branch<Value> {
  const branch = named.get(text) ?? { named: new Map(), templated: [] };
  named.set(text, branch);
  return branch;
}

function templatedIn<Value>({ templated }: Branch<Value>, text: string): Branch<Value> {
  const known = templated.find(({ segment }) => segment.text === text);
  if (known) return known.branch;
  const branch: Branch<Value> = { named: new Map(), templated: [] };
  templated.push({ segment: segmentOf(text), branch });
  return branch;
}

function segmentOf(text: string): Segment {
  const parts = text.split(/\{([^}]*)\}/);
  const names = parts.filter((_part, index) => index % 2 === 1);
  const shape = parts.map((part, index) =>
    index % 2 === 1 ? '(.+?)' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  );
  const isWhole = names.length === 1 && parts.join('') === names[0];
  return { text, names, shape: isWhole ? undefined : new RegExp(`^${shape.join('')}$`, 's') };
}

function findBelow<Value>(
  { named, templated, value }: Branch<Value>,
  segments: readonly string[],
  at: number,
  parameters: Parameters,
): { value: Value; parameters: Parameters } | undefined {
  const segment = segments[at];
  if (segment === undefined) return value === undefined ? undefined : { value, parameters };
  const branch = named.get(segment);
  const found = branch && findBelow(branch, segments, at + 1, parameters);
  if (found || segment === '') return found;
  for (const { segment: template, branch: below } of templated) {
    const here = parametersIn(template, segment);
    const foundBelow = here && findBelow(below, segments, at + 1, [...parameters, ...here]);
    if (foundBelow) return foundBelow;
  }
  return undefined;
}

/** @returns undefined where it does not fit */
function parametersIn({ names, shape }: Segment, segment: string): Parameters | undefined {
  if (!shape) return [[names[0] ?? '', segment]];
  const given = shape.exec(segment);
  return given ? names.map((name, index) => [name, given[index + 1] ?? '']) : undefined;
}
