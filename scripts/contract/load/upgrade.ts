import { upgrade } from '@scalar/openapi-upgrader';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';

/** A document with the version that it was written in. */
export interface UpgradedDocument {
  document: OpenApiDocument;
  /** The version in the file: `3.0.3`, or `2.0` of Swagger. */
  writtenIn: string;
}

/**
 * Upgrades OpenAPI 3.0 and Swagger 2.0 to OpenAPI 3.1. A document of OpenAPI 3.1 is returned unchanged.
 * @param parsed a bundled document
 * @returns undefined if the document is neither
 */
export function upgradeDocument(parsed: unknown): UpgradedDocument | undefined {
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const { openapi, swagger }: { openapi?: unknown; swagger?: unknown } = parsed;
  const writtenIn = String(openapi ?? swagger);
  if (isOpenApi31(parsed)) return { document: parsed, writtenIn };
  if (!/^(3\.0(\.|$)|2\.0$)/.test(writtenIn)) return undefined;
  const document: unknown = upgrade({ ...parsed }, '3.1');
  return isOpenApi31(document) ? { document, writtenIn } : undefined;
}

const isOpenApi31 = (document: unknown): document is OpenApiDocument =>
  typeof document === 'object' &&
  document !== null &&
  'openapi' in document &&
  typeof document.openapi === 'string' &&
  document.openapi.startsWith('3.1.');
