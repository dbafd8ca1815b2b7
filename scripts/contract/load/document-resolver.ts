import { BaseResolver, type Document, ResolveError, Source } from '@redocly/openapi-core';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { followReferences, maxSteps, percentDecode, targetOf } from '../../lib/json-pointer.ts';
import {
  createDocumentFiles,
  type DocumentFiles,
  type DocumentScope,
  maxBytes,
  RefusedDocument,
  tooLarge,
} from './document-files.ts';
import { jsonSizeOf, NotJson } from './json-extent.ts';
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
