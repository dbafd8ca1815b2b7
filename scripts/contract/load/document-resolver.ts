import { BaseResolver, type Document, ResolveError, Source } from '@redocly/openapi-core';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { followReferences, maxSteps, percentDecode, targetOf } from '../../lib/json-pointer.ts';
import {
  createDocumentFiles,
  type DocumentFiles,
  type DocumentScope,
  maxBytes,
  RefusedDocument,
  tooLarge,
} from './document-files.ts';
import { yamlError } from './parse-yaml.ts';
import { hideReferencesInData, isUrl } from './references-in-data.ts';
import { resolveIds } from './resolve-ids.ts';
import { objectsIn } from './visit-objects.ts';

/** A reference that a document may not follow. */
export interface RefusedReference {
  /** Absolute path of the file that contains the reference; undefined for the root file. */
  from: string | undefined;
  reference: string;
  error: RefusedDocument;
}

/**
 * Redocly's resolver, for files of the project only, and without network. Documents are not trusted: the author of a
 * pull request writes them.
 */
export class DocumentResolver extends BaseResolver {
  /** Redocly reports refused references at some places only, so callers must throw if there is one. */
  readonly refused: RefusedReference[] = [];
  /** An error for each file that is not valid YAML. Redocly describes them without an excerpt, and some of them twice. */
  readonly unreadable: Error[] = [];
  readonly #files: DocumentFiles;

  readonly #followsData: boolean;
  readonly #parsed = new Map<string, unknown>();

  /**
   * @param file path of the document's root file
   * @param followsData whether references in data are followed, too, as programs do that read the files themselves
   */
  constructor(file: string, scope?: DocumentScope, followsData = false) {
    super();
    this.#files = createDocumentFiles(file, scope);
    this.#followsData = followsData;
  }

  /** The files that were parsed, by absolute path. */
  get parsed(): ReadonlyMap<string, unknown> {
    return this.#parsed;
  }

  /** References are URIs, so the names of files in them may be percent-encoded (RFC 3986, section 2.1). */
  override resolveExternalRef(base: string | null, reference: string): string {
    return super.resolveExternalRef(base, base === null ? reference : percentDecode(reference));
  }

  override async resolveDocument<T>(base: string | null, reference: string, isRoot?: boolean) {
    try {
      refuseUrl(reference);
      if (base !== null) refuseUrl(percentDecode(reference));
      return await super.resolveDocument<T>(base, reference, isRoot);
    } catch (error) {
      const cause = error instanceof ResolveError ? error.originalError : error;
      if (cause instanceof RefusedDocument)
        this.refused.push({ from: base ?? undefined, reference, error: cause });
      throw error;
    }
  }

  override async loadExternalRef(path: string): Promise<Source> {
    try {
      return new Source(path, (await this.#files.read(path)).replaceAll('\r\n', '\n'));
    } catch (error) {
      const isOurs = error instanceof RefusedDocument;
      throw new ResolveError(isOurs ? error : new Error(errorMessage(error), { cause: error }));
    }
  }

  #parse(source: Source, isRoot?: boolean): Document {
    try {
      return super.parseDocument(source, isRoot);
    } catch (error) {
      this.unreadable.push(yamlError(source.absoluteRef, source.body, error));
      throw error;
    }
  }

  override parseDocument(source: Source, isRoot?: boolean): Document {
    const document = this.#parse(source, isRoot);
    // The reader has counted the file. Aliases make the document larger than its file.
    this.#files.grow(Math.max(0, sizeOf(document.parsed) - source.body.length));
    if (!this.#followsData) {
      hideReferencesInData(document.parsed, isRoot === true);
      resolveIds(document.parsed);
    }
    this.#parsed.set(source.absoluteRef, document.parsed);
    const reference = longChainIn(document.parsed);
    if (reference === undefined) return document;
    const error = new RefusedDocument(`begins a chain of ${maxSteps} or more`, 'Refer to its end.');
    this.refused.push({ from: source.absoluteRef, reference, error });
    throw new Error(error.message);
  }
}

/** Finds a chain of references that is longer than tools follow. Redocly would follow it again from each of its references. */
function longChainIn(document: unknown): string | undefined {
  for (const { node } of objectsIn(document)) {
    const chain = new Set<unknown>();
    const isNew = (each: unknown) => !chain.has(each) && chain.add(each).size > 0;
    followReferences(node, (reference) => targetOf(document, reference), '', isNew);
    if (chain.size >= maxSteps) return String(node.$ref);
  }
  return undefined;
}

/** Refuses a bundle that is too large, because it repeats what several references lead to. @throws RefusedDocument */
export function refuseLarge(bundle: unknown): void {
  if (sizeOf(bundle) > maxBytes) throw tooLarge();
}

function sizeOf(value: unknown): number {
  try {
    return jsonSizeOf(value);
  } catch (error) {
    if (error instanceof NotJson)
      throw new RefusedDocument(error.message, 'Write another value.', error.pointer);
    throw new RefusedDocument(errorMessage(error), 'Make it smaller, and refer to shared schemas with $ref.');
  }
}

/** @throws RefusedDocument if a reference is a URL, or would be one on another operating system */
export function refuseUrl(reference: string): void {
  if (reference.includes('\\')) throw new RefusedDocument('contains a backslash', 'Separate folders with /.');
  if (isUrl(reference))
    throw new RefusedDocument(
      'is a URL, and documents are read without network',
      'Download it into the project, and refer to the file.',
    );
}

/** Documents nest values at most this deep. YAML parsers have the lower limit of 100 for a file. */
const maxDepth = 200;

/** An object has at most so many properties: libraries pass them as arguments of one call. */
const maxProperties = 50_000;

interface Extent {
  /** Number of characters as JSON, about. A value that occurs several times counts each time. */
  size: number;
  depth: number;
}

/** A value contains something that JSON does not have. */
class NotJson extends Error {
  /** A JSON Pointer to it. */
  readonly pointer: string;
  constructor(value: unknown, pointer: string) {
    const shown = typeof value === 'number' ? value : Object.prototype.toString.call(value);
    super(`has ${shown}, which JSON does not have`);
    this.pointer = pointer;
  }
}

/**
 * Returns the size of a value as JSON, in characters, without writing it: aliases of YAML can make a file of 1 KB larger
 * than any memory.
 * @throws Error if the value contains itself, is too deep, or an object has too many properties; NotJson for infinite numbers,
 * sets and bytes, which YAML has
 */
function jsonSizeOf(root: unknown): number {
  const known = new Map<object, Extent | 'open'>();
  const way: string[] = [];
  const measure = (value: unknown, level: number): Extent => {
    if (typeof value === 'string') return { size: value.length + 2, depth: 0 };
    if (!isJson(value)) throw new NotJson(value, way.map((step) => `/${escapePointer(step)}`).join(''));
    if (typeof value !== 'object' || value === null) return { size: 8, depth: 0 };
    const found = known.get(value);
    if (found === 'open') throw new Error('contains itself, by an alias');
    if (found && level + found.depth <= maxDepth) return found;
    if (found || level >= maxDepth) throw new Error(`has more than ${maxDepth} levels`);
    known.set(value, 'open');
    const extent = { size: 2, depth: 0 };
    const entries = Object.entries(value);
    if (entries.length > maxProperties && !Array.isArray(value))
      throw new Error(`has an object with more than ${maxProperties} properties`);
    for (const [key, each] of entries) {
      way.push(key);
      const inside = measure(each, level + 1);
      way.pop();
      extent.size += inside.size + key.length + 4;
      extent.depth = Math.max(extent.depth, inside.depth + 1);
    }
    known.set(value, extent);
    return extent;
  };
  return measure(root, 0).size;
}

/** Whether a value can be part of JSON. */
const isJson = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value !== 'object' ||
      [null, Object.prototype, Array.prototype].includes(value && Object.getPrototypeOf(value));
