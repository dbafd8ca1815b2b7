/** A node of the document, as the linter's walker hands it over: nothing is known of its properties. */
export type Node = Record<string, unknown>;

/** A place in the document. */
export interface Location {
  source: { absoluteRef: string };
  /** JSON Pointer. */
  pointer: string;
  child(name: string | number): Location;
  /** The key of the place rather than its value: what an editor should underline. */
  key(): Location;
}

/** What Redocly hands to a visitor beside the node. */
export interface Context {
  report(problem: { message: string; location?: Location }): void;
  location: Location;
  /** The node's key in its parent. */
  key: string | number;
  /** Follows a reference, which stands in a file; hands back anything else. */
  resolve(node: unknown, from?: string): { node?: unknown; location?: Location | undefined };
}

/** The third argument holds, by type, the nodes around it that the visitor is nested in. */
type Visit = (node: Node, context: Context, around: Readonly<Record<string, Node | undefined>>) => void;

/** Visitors by the type of node that they want to see, in Redocly's names; nested ones see only what is inside. */
interface Visitors {
  [type: string]: Visit | { enter?: Visit; leave?: Visit } | Visitors;
}

/** A rule of the linter: a factory of visitors. Its file's name is its id and the name of its test document. */
export type LintRule = () => Visitors;

/** Whether a value of the document is an object, and no list. */
export const isDocumentNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list of the document, or an empty one where there is none. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The names of an object's properties, or none where there is no object. */
export const keysOf = (value: unknown): string[] => (isDocumentNode(value) ? Object.keys(value) : []);
