import { dirname, relative, resolve } from 'node:path';
import { isMap, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import { pointerTokens } from '../../lib/json-pointer.ts';
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

  const follow = async (file: string, here: Spot): Promise<{ file: string; here: Spot }> => {
    let at = { file, here };
    for (let steps = 0; steps < 50; steps += 1) {
      const reference = at.here.node && isMap(at.here.node) ? at.here.node.get('$ref') : undefined;
      if (typeof reference !== 'string') return at;
      const [target = '', pointer = ''] = reference.split('#');
      const next = target === '' ? at.file : resolve(dirname(at.file), target);
      const { root } = await read(next);
      let found = spotOf(root);
      for (const step of pointerTokens(pointer)) found = stepInto(found.node, step) ?? found;
      at = { file: next, here: found };
    }
    return at;
  };

  return {
    locateIn,
    async locate(path) {
      let at = { file: resolve(api), here: spotOf((await read(resolve(api))).root) };
      const steps = pointerTokens(path);
      for (const [index, step] of steps.entries()) {
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

  async function commonParameter(
    steps: string[],
    own: Spot,
  ): Promise<{ file: string; here: Spot } | undefined> {
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

  async function throughParts(
    { file, here }: { file: string; here: Spot },
    step: string,
  ): Promise<{ file: string; here: Spot } | undefined> {
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
