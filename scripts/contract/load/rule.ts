import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';

/** A keyword of a document that may need a repair. */
export interface RepairablePart {
  value: unknown;
  /** The object that has the keyword. */
  node: Record<string, unknown>;
  /** Leads to `node`. */
  pointer: string;
  document: OpenApiDocument;
  /** Returns the context of the whole document. */
  context: () => SchemaContext;
}

export interface Repair {
  /** The new value; undefined if the keyword is removed. */
  value: unknown;
  /** The new keyword, if it changes. */
  keyword?: string;
  /** Tells the user what is ignored, or read differently. */
  sentence?: string;
}

/** Returns the repair of a keyword; undefined if it needs none. */
export type Rule = (part: RepairablePart) => Repair | undefined;
export type Rules = Readonly<Record<string, Rule>>;
