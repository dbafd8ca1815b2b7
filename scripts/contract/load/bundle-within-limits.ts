import { relative } from 'node:path';
import { bundle, createConfig } from '@redocly/openapi-core';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { pointerTokens } from '../../lib/json-pointer.ts';
import { createDocumentFiles, type DocumentScope, RefusedDocument } from './document-files.ts';
import { DocumentResolver, type RefusedReference, refuseLarge } from './document-resolver.ts';
import { createSourceMap } from './source-map.ts';
import { objectsIn } from './visit-objects.ts';
import { type WrongType, wrongTypesPlugin } from './wrong-types.ts';

type Problem = Awaited<ReturnType<typeof bundle>>['problems'][number] | WrongType;

/**
 * Reads a document and the files that it refers to, if its scope and the limits allow it.
 * @param file path of the root file of an OpenAPI document, or of another document that Redocly knows
 * @param followsData whether references in data are followed, too
 * @returns the document with its references inside it, and its mistakes. In its data, `$ref` has another name, which
 * `showReferencesInData` undoes
 * @throws Error that lists file, line, reference and remedy if it is refused; the errors of Redocly
 */
export async function bundleWithinLimits(
  file: string,
  scope: DocumentScope,
  followsData = false,
): Promise<{ bundled: unknown; problems: readonly Problem[] }> {
  const resolver = new DocumentResolver(file, scope, followsData);
  const wrong: WrongType[] = [];
  const config = await createConfig({
    plugins: [wrongTypesPlugin(wrong)],
    preprocessors: { 'parley-load/defaults': 'error', 'parley-load/wrong-types': 'error' },
  });
  const bundling = bundle({ ref: file, config, externalRefResolver: resolver });
  await Promise.allSettled([bundling]);
  if (resolver.refused.length > 0) {
    const lines = resolver.refused.map((each) => describeRefusal(file, each, scope));
    throw new RefusedDocument([...new Set(await Promise.all(lines))].slice(0, maxListed).join('\n'), '');
  }
  if (resolver.unreadable.length > 0)
    throw new Error(resolver.unreadable.map(errorMessage).slice(0, maxListed).join('\n'));
  if (wrong.length > 0) return { bundled: undefined, problems: wrong };
  const { bundle: bundled, problems } = await bundling.catch(async (error: unknown) => {
    throw (await describeCycle(file, resolver, scope)) ?? error;
  });
  try {
    refuseLarge(bundled.parsed);
  } catch (error) {
    throw error instanceof RefusedDocument ? new RefusedDocument(`${file} ${textOf(error)}`, '') : error;
  }
  return { bundled: bundled.parsed, problems };
}

/**
 * Checks the limits of a document before a program reads it that has none, and that follows references in data. Other mistakes are
 * left to that program.
 * @throws RefusedDocument that lists file, line, reference and remedy
 */
export async function assertWithinLimits(file: string, scope: DocumentScope): Promise<void> {
  await bundleWithinLimits(file, scope, true).catch((error: unknown) => {
    if (error instanceof RefusedDocument) throw error;
  });
}

/** Returns an error that names references that only lead to each other; undefined without such references. */
async function describeCycle(
  file: string,
  resolver: DocumentResolver,
  scope: DocumentScope,
): Promise<Error | undefined> {
  const places = findReferenceCycle(resolver.parsed, (from, reference) =>
    resolver.resolveExternalRef(from, reference),
  );
  if (places.length === 0) return undefined;
  const { locateIn } = createSourceMap(file, scope);
  const located = places.slice(0, maxListed).map(async (place) => {
    const { file: source, line, column } = await locateIn(place.file, place.pointer);
    return `${source}:${line}:${column}`;
  });
  const [first = file, ...others] = await Promise.all(located);
  const way = [...others, first].join(', which refers to ');
  return new Error(
    `${first} The reference leads in a circle: it refers to ${way}. None of them describes anything.\n  at ${places[0]?.pointer || '/'}\n  → Replace one of the references with what it should describe.`,
  );
}

/** Maximum number of references that an error lists. */
const maxListed = 20;

/** Maximum length of a reference in a message. */
const maxShown = 200;

async function describeRefusal(
  file: string,
  { from, reference, error }: RefusedReference,
  scope: DocumentScope,
): Promise<string> {
  const shown = reference.slice(0, maxShown);
  if (from === undefined) {
    const { message, pointer } = error;
    if (pointer === undefined) return `${shown} ${textOf(error)}`;
    const { file: source, line, column } = await createSourceMap(file, scope).locateIn(file, pointer);
    return `${source}:${line}:${column} The document ${message}.\n  at ${pointer}\n  → ${error.fix}`;
  }
  const text = await createDocumentFiles(file, scope).read(from);
  const [found = 0] = [reference, JSON.stringify(reference).slice(1, -1)]
    .map((each) => text.indexOf(each))
    .filter((at) => at >= 0);
  const lines = text.slice(0, found).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return `${relative('.', from)}:${lines.length}:${column} The reference ${shown} ${textOf(error)}`;
}

const textOf = ({ message, pointer, fix }: RefusedDocument): string =>
  `${message}${pointer ? `, at ${pointer}` : ''}.\n  → ${fix}`;

/** A node of a file that may be a reference. */
interface Place {
  file: string;
  pointer: string;
  node: unknown;
}

/**
 * Finds references that only lead to each other, so that there is nothing at their end.
 * @param files the parsed files of a document, by absolute path
 * @param pathOf returns the path of the file to which a reference leads from a file
 * @returns the places of the references, in their order; empty if there is no such cycle
 */
function findReferenceCycle(
  files: ReadonlyMap<string, unknown>,
  pathOf: (file: string, reference: string) => string,
): Omit<Place, 'node'>[] {
  const ended = new Set<unknown>();
  for (const [file, root] of files)
    for (const { node: first, pointer } of objectsIn(root)) {
      const chain = new Map<unknown, Place>();
      let at: Place | undefined = { file, pointer, node: first };
      while (at && isObject(at.node) && typeof at.node.$ref === 'string' && !ended.has(at.node)) {
        const { node }: Place = at;
        if (chain.has(node)) {
          const places = [...chain.values()];
          const start = places.findIndex((each) => each.node === node);
          return places.slice(start).map((each) => ({ file: each.file, pointer: each.pointer }));
        }
        chain.set(node, at);
        at = targetOf(files, pathOf, at);
      }
      for (const node of chain.keys()) ended.add(node);
    }
  return [];
}

/** Returns the target of a reference, or a reference on the way to it; undefined if the place is not a reference. */
function targetOf(
  files: ReadonlyMap<string, unknown>,
  pathOf: (file: string, reference: string) => string,
  { file, node }: Place,
): Place | undefined {
  if (!isObject(node) || typeof node.$ref !== 'string') return undefined;
  const [path = '', fragment = ''] = node.$ref.split('#');
  const target = path === '' ? file : pathOf(file, path);
  let here: Place = { file: target, pointer: '', node: files.get(target) };
  for (const step of pointerTokens(fragment)) {
    const inner = Array.isArray(here.node)
      ? here.node[Number(step)]
      : isObject(here.node) && Object.hasOwn(here.node, step)
        ? here.node[step]
        : undefined;
    if (inner === undefined) return isObject(here.node) && '$ref' in here.node ? here : undefined;
    here = { file: target, pointer: `${here.pointer}/${escapePointer(step)}`, node: inner };
  }
  return here;
}
