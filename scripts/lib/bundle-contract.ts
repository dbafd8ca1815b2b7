import { relative } from 'node:path';
import { bundle, createConfig } from '@redocly/openapi-core';
import type { OpenApiDocument } from './openapi-document.ts';

/**
 * Reads an OpenAPI 3.1 document with all referenced files and bundles them.
 * @param file path of the root, YAML or JSON
 * @returns a document whose references are all internal
 * @throws Error if a file cannot be read, a reference cannot be resolved, or the document is not OpenAPI 3.1
 */
export async function bundleContract(file: string): Promise<OpenApiDocument> {
  const { bundle: bundled, problems } = await bundle({ ref: file, config: await createConfig({}) });
  const errors = problems.filter((problem) => problem.severity === 'error');
  if (errors.length > 0) throw new Error([...new Set(errors.map(describe))].join('\n'));

  const document: unknown = bundled.parsed;
  if (!isOpenApi31(document)) throw new Error(`${file} is not an OpenAPI 3.1 document.`);
  return document;
}

function describe({
  message,
  location,
}: {
  message: string;
  location: { source: { absoluteRef: string } }[];
}) {
  const where = location[0]?.source.absoluteRef;
  return where ? `${relative('.', where)}: ${message}` : message;
}

function isOpenApi31(document: unknown): document is OpenApiDocument {
  return (
    typeof document === 'object' &&
    document !== null &&
    'openapi' in document &&
    typeof document.openapi === 'string' &&
    document.openapi.startsWith('3.1.')
  );
}
