import { basename, relative } from 'node:path';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { objectOf } from '../../../server/lib/json-object.ts';
import { followReferences, targetOf } from '../../lib/json-pointer.ts';
import { once } from '../../lib/once.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { printLine } from '../../lib/terminal.ts';
import { type Contract, createContract } from '../model/contract.ts';
import { disabledExtension } from '../model/disabled-operations.ts';
import { bundleWithinLimits } from './bundle-within-limits.ts';
import { convertDocument } from './convert-document.ts';
import { diagnose } from './diagnose.ts';
import { type Diagnosis, locateNote, type Note } from './diagnosis.ts';
import { disableParts } from './disable-parts.ts';
import type { DocumentScope } from './document-files.ts';
import { endlessSchemas } from './endless-schemas.ts';
import { ignoredParts } from './ignored-parts.ts';
import { showReferencesInData } from './references-in-data.ts';
import { repairDocument, repairPathParameters } from './repair-document.ts';
import { resolveAnchors } from './resolve-anchors.ts';
import { createSourceMap, type SourceMap } from './source-map.ts';
import { typeFiles } from './type-files.ts';
import { type RepeatedIds, uniqueOperationIds } from './unique-operation-ids.ts';
import { findExternalReference } from './visit-objects.ts';

/** Maximum number of mistakes that an error lists. */
const maxListed = 20;

/** Maximum number of mistakes that are located in their files. Several can be listed as one. */
const maxDescribed = 200;

const told = new Set<string>();
/** Prints a sentence on standard error, once per process. */
function tellOnce(sentence: string): void {
  if (!told.has(sentence)) printLine(sentence, 'error');
  told.add(sentence);
}

/** How a contract is loaded. */
export interface LoadOptions extends DocumentScope {
  /**
   * Called with file, line and a sentence for each part of the document that is repaired, or that all tools ignore
   * (default: prints it).
   */
  onIgnored?: (sentence: string) => void;
  /** What happens to an `operationId` that an earlier operation has (default: `numbered`). */
  repeatedIds?: RepeatedIds;
}

/**
 * Loads a contract for any tool: reads all files, bundles them, converts OpenAPI 3.2, OpenAPI 3.0 and Swagger 2.0 to
 * 3.1, and finds mistakes.
 * @param file path of the root file, YAML or JSON
 * @returns the contract, as an OpenAPI 3.1 document whose references are all internal
 * @throws Error that lists file, line, mistake and remedy
 */
export async function loadContract(
  file: string,
  { onIgnored = tellOnce, repeatedIds, ...scope }: LoadOptions = {},
): Promise<Contract> {
  const sources = once(() => createSourceMap(file, scope));
  const parsed = await bundleDocument(file, scope);
  const converted = convertDocument(parsed);
  if (!converted) throw new Error(notOpenApi(file));
  const inlined = repairPathParameters(resolveAnchors(inlinePathItems(converted.document)));
  const found = diagnose(inlined.document);
  const readable = disableParts(inlined.document, found);
  if (!readable) throw new Error(await listMistakes(found, sources));
  const { document: hidden, notes } = repairDocument(readable.document);
  const document = withDataShown(typeFiles(hidden));
  const read = createContract(document, (pointer) => sources().locate(pointer));
  const repaired = uniqueOperationIds(read, repeatedIds);
  const all = [
    ...readable.notes,
    ...converted.ignored,
    ...repaired.notes,
    ...inlined.notes,
    ...notes,
    ...endlessSchemas(hidden),
    ...ignoredParts(document),
  ];
  for (const note of summarize(all)) onIgnored(await locateNote(file, note, read.locate));
  return repaired.contract;
}

/** Returns a document whose data has `$ref` again, which had another name while libraries read the document. */
const withDataShown = (document: OpenApiDocument): OpenApiDocument => ({
  ...document,
  ...objectOf(showReferencesInData(document)),
});

async function listMistakes(found: readonly Diagnosis[], sources: () => SourceMap): Promise<string> {
  const lines = found.slice(0, maxListed + 1).map(async ({ pointer, message, fix }) => {
    const { file, line, column } = await sources().locate(pointer);
    return `${file}:${line}:${column} ${message}\n  at ${pointer}\n  → ${fix}`;
  });
  return listed(await Promise.all(lines));
}

async function bundleDocument(file: string, scope: DocumentScope): Promise<unknown> {
  const { bundled, problems } = await bundleWithinLimits(file, scope).catch((error: unknown) => {
    throw new Error(describeReadError(file, error), { cause: error });
  });
  const errors = problems.filter((problem) => problem.severity === 'error');
  if (errors.length > 0) {
    const { locateIn } = createSourceMap(file, scope);
    const lines = errors.slice(0, maxDescribed).map((each) => describeProblem(each, locateIn));
    throw new Error(listed(await Promise.all(lines)));
  }
  // Other tools would follow it, from another folder. References in data have another name here.
  const external = findExternalReference(bundled);
  if (external === undefined) return bundled;
  const { file: source, line, column } = await createSourceMap(file, scope).locate(external.pointer);
  throw new Error(
    `${source}:${line}:${column} The reference ${external.reference} is at a place where it cannot be followed.\n  at ${external.pointer}\n  → Insert what it refers to.`,
  );
}

/** Maximum number of sentences that differ only by the part that they name. */
const maxSimilar = 3;

function summarize(notes: readonly Note[]): Note[] {
  const kinds = Map.groupBy(notes, ({ sentence, fix }) => fix ?? sentence.replaceAll(/ at \/\S*/g, ''));
  return [...kinds.values()].flatMap((similar) => {
    const shown = similar.slice(0, maxSimilar);
    const [last, more] = [shown.at(-1), similar.length - maxSimilar];
    if (!last || more <= 0) return similar;
    return shown.with(-1, { ...last, sentence: `${last.sentence} There are ${more} more like it.` });
  });
}

/**
 * Replaces references to whole path items, which few tools follow, also next to other fields, and removes extensions from the
 * list of paths. The list of disabled operations is the toolchain's own.
 */
function inlinePathItems({
  [disabledExtension]: _foreign,
  ...document
}: OpenApiDocument & { [disabledExtension]?: unknown }): OpenApiDocument {
  const inline = (items: OpenApiDocument['paths'] = {}) =>
    Object.fromEntries(
      Object.entries(items)
        .filter(([name]) => !name.startsWith('x-'))
        .map(([name, item]) => {
          const { node, siblings } = followReferences(item, (reference) => targetOf(document, reference));
          return [name, node === undefined ? item : { ...objectOf(node), ...siblings }];
        }),
    );
  return {
    ...document,
    ...(document.paths ? { paths: inline(document.paths) } : {}),
    ...(document.webhooks ? { webhooks: inline(document.webhooks) } : {}),
  };
}

const listed = (lines: readonly string[]): string => {
  const distinct = [...new Set(lines)];
  return distinct.length > maxListed
    ? [...distinct.slice(0, maxListed), '… and more'].join('\n')
    : distinct.join('\n');
};

interface Problem {
  message: string;
  fix?: string;
  location: { source: { absoluteRef: string }; pointer?: string | undefined }[];
}

async function describeProblem(
  { message, fix, location: [location] }: Problem,
  locateIn: SourceMap['locateIn'],
): Promise<string> {
  const file = location?.source.absoluteRef;
  if (file === undefined) return message;
  const pointer = location?.pointer?.replace(/^#/, '') ?? '';
  const { line, column } = await locateIn(file, pointer);
  const remedy = fix ?? (/resolve/i.test(message) ? 'Correct the reference, or add its target.' : undefined);
  const lines = [`${relative('.', file)}:${line}:${column} ${message}`, `at ${pointer || '/'}`];
  return [...lines, ...(remedy === undefined ? [] : [`→ ${remedy}`])].join('\n  ');
}

function describeReadError(file: string, error: unknown): string {
  // The stack is exhausted.
  const message =
    error instanceof RangeError
      ? 'references lead from each part into the next one, too deeply for the libraries that read it.\n  → Flatten them.'
      : errorMessage(error);
  if (/unsupported specification|document must be|OpenAPI version/i.test(message)) return notOpenApi(file);
  const isLocated = message.includes(basename(file)) || /^.+:\d+:\d+ /.test(message);
  return isLocated ? message : `${file} cannot be read: ${message}`;
}

const notOpenApi = (file: string): string =>
  `${file} is not an OpenAPI document of version 3.0, 3.1 or 3.2, or Swagger 2.0.\n  → Its root needs a line such as: openapi: 3.1.1, or, with quotes: swagger: '2.0'`;
