/** An object in a document, of unknown shape. */
export type DocumentNode = Record<string, unknown>;

/** Whether a value of a document is an object. */
export const isDocumentNode = (value: unknown): value is DocumentNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value if it is an object, or else an empty one. */
export const nodeOf = (value: unknown): DocumentNode => (isDocumentNode(value) ? value : {});

/** Returns the value if it is a list, or else an empty one. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
