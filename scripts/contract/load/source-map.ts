import { basename, dirname, parse, relative, resolve } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, visit } from 'yaml';
import { percentDecode, pointerTokens } from '../../lib/json-pointer.ts';
import { once } from '../../lib/once.ts';
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
  const files = new Map<string, Promise<Read>>();
  const reader = createDocumentFiles(api, scope);
  const read = (file: string): Promise<Read> => {
    const known = files.get(file) ?? reader.read(file).then(parseSource);
    files.set(file, known);
    return known;
  };

  const placeOf = async (file: string, node: Spot): Promise<SourceLocation> => {
    const { lines } = await read(file);
    const { line, col } = lines.linePos(node.at);
    return { file: relative('.', file), line, column: col };
  };

  const locateIn = async (file: string, pointer: string): Promise<SourceLocation> => {
    let here = spotOf((await read(resolve(file))).root);
    for (const step of pointerTokens(pointer)) {
      const next = stepInto(here.node, step);
      if (!next) break;
      here = next;
    }
    return placeOf(resolve(file), here);
  };

  /** Returns the node at a path in a file; undefined if there is none. */
  const placeAt = async (file: string, steps: readonly string[]): Promise<Place | undefined> => {
    let here: Spot | undefined = spotOf((await read(file)).root);
    for (const step of steps) here = here && stepInto(here.node, step);
    return here && { file, here };
  };

  /** Returns what a reference leads to, or its deepest part that exists. */
  const targetOf = async (file: string, reference: string): Promise<Place> => {
    const [target = '', pointer = ''] = reference.split('#');
    const next = target === '' ? file : resolve(dirname(file), percentDecode(target));
    let here = spotOf((await read(next)).root);
    for (const step of pointerTokens(pointer)) here = stepInto(here.node, step) ?? here;
    return { file: next, here };
  };

  const otherComponents = once(readOtherComponents);

  const follow = async (file: string, here: Spot): Promise<Place> => {
    let at = { file, here };
    for (let steps = 0; steps < 50; steps += 1) {
      const reference = at.here.node && isMap(at.here.node) ? at.here.node.get('$ref') : undefined;
      if (typeof reference !== 'string') return at;
      at = await targetOf(at.file, reference);
    }
    return at;
  };

  return {
    locateIn,
    async locate(path) {
      let at = { file: resolve(api), here: spotOf((await read(resolve(api))).root) };
      const steps = pointerTokens(path);
      const component = await componentOfOtherFile(steps);
      at = component ?? at;
      for (const [index, step] of steps.entries()) {
        if (component && index < 3) continue;
        const inside = await follow(at.file, at.here).catch(() => at);
        // In the normalized list, path-level parameters come after the operation's own.
        const common =
          steps[0] !== 'components' && steps[3] === 'parameters' && index === 4
            ? await commonParameter(steps, inside.here)
            : undefined;
        if (common) {
          at = common;
          continue;
        }
        const next = stepInto(inside.here.node, step);
        if (!next && step === 'parameters' && index === 3) {
          // The operation may have no parameters of its own. The next step then finds the path-level parameter.
          at = { file: inside.file, here: { node: null, at: inside.here.at } };
        } else if (!next) {
          // Normalization merges `allOf`, so the step may be inside one of its members.
          const deeper = await throughParts(inside, step);
          if (!deeper) return placeOf(inside.file, inside.here);
          at = deeper;
        } else at = { file: inside.file, here: next };
      }
      return placeOf(at.file, at.here);
    },
  };

  /**
   * Finds a component that the root file does not have, because it stands in another file. If two files have a component with
   * this name, none is found, because the bundle renames one of them.
   */
  async function componentOfOtherFile([first, kind, name]: readonly string[]): Promise<Place | undefined> {
    if (first !== 'components' || kind === undefined || name === undefined) return undefined;
    if (await placeAt(resolve(api), [first, kind, name])) return undefined;
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
        const [target = '', pointer = ''] = reference.split('#');
        const next = target === '' ? file : resolve(dirname(file), percentDecode(target));
        if (known.has(`${next}#${pointer}`)) continue;
        known.add(`${next}#${pointer}`);
        const steps = pointerTokens(pointer);
        const place = await placeAt(next, steps).catch(() => undefined);
        if (!place || next === root) continue;
        files.add(next);
        const { dir, name: base } = parse(next);
        const [name = base, parent = steps.length > 0 ? '' : basename(dir)] = steps.slice(-2).reverse();
        for (const key of new Set([`${parent} ${name}`, ` ${name}`]))
          found.set(key, [...(found.get(key) ?? []), place]);
      }
    return found;
  }

  async function commonParameter(steps: string[], own: Spot): Promise<Place | undefined> {
    const count = own.node && isSeq(own.node) ? own.node.items.length : 0;
    const index = Number(steps[4]) - count;
    if (index < 0) return undefined;
    let at = { file: resolve(api), here: spotOf((await read(resolve(api))).root) };
    for (const step of [...steps.slice(0, 2), 'parameters', String(index)]) {
      at = await follow(at.file, at.here);
      const next = stepInto(at.here.node, step);
      if (!next) return undefined;
      at = { file: at.file, here: next };
    }
    return at;
  }

  async function throughParts({ file, here }: Place, step: string): Promise<Place | undefined> {
    const parts = here.node && isMap(here.node) ? here.node.get('allOf') : undefined;
    if (!isSeq(parts)) return undefined;
    for (const index of parts.items.keys()) {
      const part = stepInto(parts as Node, String(index));
      const inside = part && (await follow(file, part));
      const found = inside && stepInto(inside.here.node, step);
      if (found) return { file: inside.file, here: found };
    }
    return undefined;
  }
}

interface Place {
  file: string;
  here: Spot;
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
