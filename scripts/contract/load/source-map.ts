import { basename, dirname, parse, relative, resolve } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, visit } from 'yaml';
import { percentDecode, pointerTokens } from '../../lib/json-pointer.ts';
import { once, oncePer } from '../../lib/once.ts';
import type { SourceLocation } from '../model/contract.ts';
import { createDocumentFiles, type DocumentScope } from './document-files.ts';

/** Maps parts of a contract to locations in its source files. */
export interface SourceMap {
  /**
   * Resolves a path through the contract to the last node that exists, following references.
   * @param path a JSON Pointer
   */
  locate(path: string): Promise<SourceLocation>;
  /** Resolves a pointer within one file to the last node that exists. */
  locateIn(file: string, pointer: string): Promise<SourceLocation>;
}

interface Read {
  root: Node | null;
  lines: LineCounter;
}

/**
 * Creates a source map.
 * @param api path of the contract's root file, YAML or JSON
 * @param scope what the contract may read
 */
export function createSourceMap(api: string, scope?: DocumentScope): SourceMap {
  const files = createDocumentFiles(api, scope);
  const read = oncePer((file: string) => files.read(file).then(parseSource));

  const placeOf = async ({ file, here }: Place): Promise<SourceLocation> => {
    const { line, col } = (await read(file)).lines.linePos(here.at);
    return { file: relative('.', file), line, column: col };
  };

  /** Returns the node at a path in a file, or its deepest part that exists. */
  const descend = async (file: string, steps: readonly string[]): Promise<Place & { isWhole: boolean }> => {
    let here = spotOf((await read(file)).root);
    for (const step of steps) {
      const next = stepInto(here.node, step);
      if (!next) return { file, here, isWhole: false };
      here = next;
    }
    return { file, here, isWhole: true };
  };

  const follow = async (start: Place): Promise<Place> => {
    let at = start;
    for (let steps = 0; steps < 50; steps += 1) {
      const reference = at.here.node && isMap(at.here.node) ? at.here.node.get('$ref') : undefined;
      if (typeof reference !== 'string') return at;
      const { file, steps: inside } = targetOf(at.file, reference);
      at = await descend(file, inside);
    }
    return at;
  };

  const otherComponents = once(readOtherComponents);

  return {
    locateIn: async (file, pointer) => placeOf(await descend(resolve(file), pointerTokens(pointer))),
    locate: async (path) => placeOf(await find(pointerTokens(path))),
  };

  /** Returns the place of a path through the contract, or of its deepest part that exists. */
  async function find(steps: readonly string[]): Promise<Place & { isWhole: boolean }> {
    const component = await componentOfOtherFile(steps);
    let at: Place = component ?? (await descend(resolve(api), []));
    for (const [index, step] of steps.entries()) {
      if (component && index < 3) continue;
      const inside = await follow(at).catch(() => at);
      // In the normalized list, path-level parameters come after the operation's own.
      const isParameter = steps[0] !== 'components' && steps[3] === 'parameters' && index === 4;
      const common = isParameter ? await commonParameter(steps, inside.here) : undefined;
      const next = stepInto(inside.here.node, step);
      if (common) at = common;
      else if (next) at = { file: inside.file, here: next };
      else if (step === 'parameters' && index === 3) {
        // The operation may have no parameters of its own. The next step then finds the path-level parameter.
        at = { file: inside.file, here: { node: null, at: inside.here.at } };
      } else {
        // Normalization merges `allOf`, so the step may be inside one of its members.
        const deeper = await throughParts(inside, step);
        if (!deeper) return { ...inside, isWhole: false };
        at = deeper;
      }
    }
    return { ...at, isWhole: true };
  }

  async function commonParameter(steps: readonly string[], own: Spot): Promise<Place | undefined> {
    const count = own.node && isSeq(own.node) ? own.node.items.length : 0;
    const index = Number(steps[4]) - count;
    if (index < 0) return undefined;
    const found = await find([...steps.slice(0, 2), 'parameters', String(index)]);
    return found.isWhole ? found : undefined;
  }

  async function throughParts({ file, here }: Place, step: string): Promise<Place | undefined> {
    const parts = here.node && isMap(here.node) ? here.node.get('allOf') : undefined;
    if (!isSeq(parts)) return undefined;
    for (const index of parts.items.keys()) {
      const part = stepInto(parts as Node, String(index));
      const inside = part && (await follow({ file, here: part }));
      const found = inside && stepInto(inside.here.node, step);
      if (found) return { file: inside.file, here: found };
    }
    return undefined;
  }

  /**
   * Finds a component that the root file does not have, because it stands in another file. If two files have a component with
   * this name, none is found, because the bundle renames one of them.
   */
  async function componentOfOtherFile([first, kind, name]: readonly string[]): Promise<Place | undefined> {
    if (first !== 'components' || kind === undefined || name === undefined) return undefined;
    if ((await descend(resolve(api), [first, kind, name])).isWhole) return undefined;
    const known = await otherComponents();
    const [place, ...others] = known.get(`${kind} ${name}`) ?? known.get(` ${name}`) ?? [];
    return others.length === 0 ? place : undefined;
  }

  /**
   * Returns the components of other files by kind and name: the last parts of the references to them. For a whole file, these are
   * its folder and its name. What precedes the name may be no kind, so the name alone is a key as well.
   */
  async function readOtherComponents(): Promise<Map<string, Place[]>> {
    const found = new Map<string, Place[]>();
    const root = resolve(api);
    const files = new Set([root]);
    const known = new Set<string>();
    for (const file of files)
      for (const reference of referencesIn((await read(file)).root)) {
        const { file: next, steps } = targetOf(file, reference);
        const key = JSON.stringify([next, steps]);
        if (known.has(key)) continue;
        known.add(key);
        const place = await descend(next, steps).catch(() => undefined);
        if (!place?.isWhole || next === root) continue;
        files.add(next);
        const { dir, name: base } = parse(next);
        const [name = base, parent = steps.length > 0 ? '' : basename(dir)] = steps.slice(-2).reverse();
        for (const each of new Set([`${parent} ${name}`, ` ${name}`]))
          found.set(each, [...(found.get(each) ?? []), place]);
      }
    return found;
  }
}

interface Place {
  file: string;
  here: Spot;
}

/** Returns the file and the path to which a reference of a file leads. */
function targetOf(file: string, reference: string): { file: string; steps: string[] } {
  const [target = '', pointer = ''] = reference.split('#');
  return {
    file: target === '' ? file : resolve(dirname(file), percentDecode(target)),
    steps: pointerTokens(pointer),
  };
}

/** Returns all references in a file. */
function referencesIn(root: Node | null): string[] {
  const found: string[] = [];
  visit(root, {
    Pair(_key, { key, value }) {
      if (isScalar(key) && key.value === '$ref' && isScalar(value) && typeof value.value === 'string')
        found.push(value.value);
    },
  });
  return found;
}

/** A node and the offset that an editor should show. The offset is that of the node's key, if it has a key. */
interface Spot {
  node: Node | null;
  at: number;
}

const spotOf = (node: Node | null): Spot => ({ node, at: node?.range?.[0] ?? 0 });

function stepInto(node: Node | null, step: string): Spot | undefined {
  if (node && isMap(node)) {
    const pair = node.items.find(({ key }: Pair) => String(key) === step);
    if (!pair) return undefined;
    const key = pair.key as Node | null;
    return { node: pair.value as Node | null, at: key?.range?.[0] ?? 0 };
  }
  if (node && isSeq(node)) {
    const item = node.items[Number(step)] as Node | undefined;
    return item ? spotOf(item) : undefined;
  }
  return undefined;
}

function parseSource(text: string): Read {
  const lines = new LineCounter();
  // Redocly finds equal keys. Here, they would be searched for in quadratic time.
  const { contents } = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  return { root: contents, lines };
}
