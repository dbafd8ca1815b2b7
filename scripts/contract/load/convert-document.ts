import { upgrade } from '@scalar/openapi-upgrader';
import { objectOf } from '../../../server/lib/json-object.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { downgradeDocument } from './downgrade-document.ts';
import { removeReferenceSiblings } from './remove-reference-siblings.ts';
import { prepareSwaggerBodies } from './swagger-bodies.ts';

/** A document that was converted to OpenAPI 3.1. */
export interface ConvertedDocument {
  document: OpenApiDocument;
  /** Descriptions of the parts that were left out, because OpenAPI 3.1 does not have them, or they had no effect. */
  ignored: string[];
}

/**
 * Converts OpenAPI 3.2, OpenAPI 3.0 and Swagger 2.0 to OpenAPI 3.1. An OpenAPI 3.1 document is returned unchanged.
 * @param parsed a bundled document
 * @returns undefined if the document has none of these versions
 */
export function convertDocument(parsed: unknown): ConvertedDocument | undefined {
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const { openapi, swagger }: { openapi?: unknown; swagger?: unknown } = parsed;
  const writtenIn = String(openapi ?? swagger);
  if (isOpenApi31(parsed)) return { document: parsed, ignored: [] };
  if (/^3\.2(\.|$)/.test(writtenIn)) {
    const { document, ignored } = downgradeDocument(parsed);
    return isOpenApi31(document) ? { document, ignored } : undefined;
  }
  if (!/^(3\.0(\.|$)|2\.0$)/.test(writtenIn)) return undefined;
  const { document: own, hasRemoved } = removeReferenceSiblings(parsed);
  const prepared = swagger === undefined ? own : prepareSwaggerBodies(objectOf(own));
  const document: unknown = upgrade({ ...prepared }, '3.1');
  const ignored = hasRemoved ? ['Keywords next to references, which OpenAPI before 3.1 ignores,'] : [];
  if (JSON.stringify(own).includes('"collectionFormat":"tsv"'))
    ignored.push('Tabs between values (collectionFormat: tsv)');
  return isOpenApi31(document) ? { document, ignored } : undefined;
}

const isOpenApi31 = (document: unknown): document is OpenApiDocument =>
  typeof document === 'object' &&
  document !== null &&
  'openapi' in document &&
  typeof document.openapi === 'string' &&
  document.openapi.startsWith('3.1.');
