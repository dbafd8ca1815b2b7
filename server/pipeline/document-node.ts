/** An object in a document, of unknown shape. */
export type DocumentNode = Record<string, unknown>;

/** Whether a value of a document is an object. */
export const isDocumentNode = (value: unknown): value is DocumentNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
