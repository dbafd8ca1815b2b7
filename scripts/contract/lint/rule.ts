import type { JsonObject } from '../../../server/lib/json-object.ts';

/** A node of the document, of unknown shape. */
export type Node = JsonObject;

/** A location in the document. */
export interface Location {
  source: { absoluteRef: string; body: string };
  /** JSON Pointer. */
  pointer: string;
  child(name: string | number): Location;
  /** Returns the location of the key without its value, so that editors underline only the key. */
  key(): Location;
}

/** The context that Redocly passes to a visitor together with the node. */
export interface Context {
  report(problem: {
    message: string;
    location?: Location | (Pick<Location, 'source' | 'pointer'> & { reportOnKey: boolean });
  }): void;
  location: Location;
  /** The node's key in its parent. */
  key: string | number;
  /** Resolves a reference, relative to the file `from`. Any other node is returned unchanged. */
  resolve(node: unknown, from?: string): { node?: unknown; location?: Location | undefined };
}

/** The third argument contains the enclosing nodes by type. */
type Visit = (node: Node, context: Context, around: Readonly<Record<string, Node | undefined>>) => void;

/** Visitors by Redocly's node types. Nested visitors are called only for nodes inside the outer type. */
interface Visitors {
  [type: string]: Visit | { enter?: Visit; leave?: Visit } | Visitors;
}

/** A lint rule: a factory of visitors. Its file and its test document are named after its ID. */
export type LintRule = () => Visitors;
