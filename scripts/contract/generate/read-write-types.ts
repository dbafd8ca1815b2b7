import { createRequire } from 'node:module';
import type typescript from 'typescript';
import type { Node, PropertySignature, TypeNode } from 'typescript';
import { targetOf } from '../../lib/json-pointer.ts';
import { reachOf } from '../compile/document-pointers.ts';
import { type Mark, markedPropertiesBy } from '../model/read-write-views.ts';

/**
 * The TypeScript that openapi-typescript uses: npm may install another one for it than for the toolchain, and the numbers
 * of the kinds of nodes differ between versions.
 */
export const ts: typeof typescript = createRequire(import.meta.resolve('openapi-typescript'))('typescript');

/** Whether a contract has read-only or write-only properties. @param document a bundled OpenAPI 3.1 document */
export const hasMarkedProperties = (document: object): boolean =>
  reachOf(document, ({ readOnly, writeOnly }) => readOnly === true || writeOnly === true).size > 0;

const helpers = ['Readable', 'Writable', '$Read', '$Write'];

/**
 * Replaces the helper types of openapi-typescript. Its `Readable` and `Writable` turn files into objects without methods and
 * tuples into arrays, and a response may have a write-only property as long as it comes from a variable.
 */
export const withoutHelpers = (nodes: readonly Node[]): Node[] =>
  nodes.filter((node) => !ts.isTypeAliasDeclaration(node) || !helpers.includes(node.name.text));

/** The helper types of contracts with read-only or write-only properties, as source. openapi-fetch knows the marks by their form. */
export const helperTypes = `
/** A property that only responses have. */
export type $Read<T> = { readonly $read: T };
/** A property that only requests have. */
export type $Write<T> = { readonly $write: T };
/** A value as responses have it: without write-only properties. */
export type Readable<T> = Without<$Write<unknown>, T>;
/** A value as requests have it: without read-only properties. */
export type Writable<T> = Without<$Read<unknown>, T>;
/** An operation as handlers see it: its requests without read-only properties, its responses without write-only ones. */
export type HandledOperation<T> = {
    [K in keyof T]: K extends "requestBody" ? Writable<T[K]> : K extends "responses" ? Readable<T[K]> : T[K];
};
type Unmarked<T> = T extends $Read<infer U> ? U : T extends $Write<infer U> ? U : T;
type IsMarked<Mark, T> = [T] extends [never] ? false : [T] extends [Mark] ? true : false;
type Without<Mark, T> = T extends readonly unknown[] ? {
    [K in keyof T]: Without<Mark, T[K]>;
} : T extends {
    slice: (...args: never[]) => unknown;
} ? T : T extends object ? {
    [K in keyof T as IsMarked<Mark, NonNullable<T[K]>> extends true ? never : K]: Without<Mark, Unmarked<T[K]>>;
} & {
    [K in keyof T as IsMarked<Mark, NonNullable<T[K]>> extends true ? Exclude<K, keyof Object> : never]?: never;
} : T;
`;

/**
 * Creates the hook of openapi-typescript that marks the type of each read-only and write-only property. By itself, it sees
 * only marks beside the type, and neither those of a referenced schema nor two marks of one property.
 * @param document the document from which the types are made
 */
export function createPropertyMarker(
  document: object,
): (property: PropertySignature, schema: unknown) => PropertySignature {
  const resolve = (reference: string) => targetOf(document, reference);
  const [isReadOnly, isWriteOnly] = (['readOnly', 'writeOnly'] satisfies Mark[]).map((mark) => {
    const markedIn = markedPropertiesBy(resolve, mark);
    return (schema: unknown) => markedIn({ properties: { schema } }).length > 0;
  });
  return (property, schema) => {
    const marks = [...(isReadOnly?.(schema) ? ['$Read'] : []), ...(isWriteOnly?.(schema) ? ['$Write'] : [])];
    const type = property.type && innerType(property.type);
    if (!type || marks.length === 0) return property;
    const marked = marks.map((mark) => ts.factory.createTypeReferenceNode(mark, [type]));
    return ts.factory.updatePropertySignature(
      property,
      property.modifiers,
      property.name,
      property.questionToken,
      marked.length === 1 ? marked[0] : ts.factory.createIntersectionTypeNode(marked),
    );
  };
}

/** Returns the type inside a mark that openapi-typescript has set. */
const innerType = (type: TypeNode): TypeNode =>
  ts.isTypeReferenceNode(type) &&
  ts.isIdentifier(type.typeName) &&
  /^\$(Read|Write)$/.test(type.typeName.text)
    ? (type.typeArguments?.[0] ?? type)
    : type;

const parameterPath =
  /^#\/((paths|webhooks)\/[^/]+\/([a-z]+\/)?parameters\/(query|header|path|cookie)\/[^/]+|components\/parameters\/[^/]+)$/;
const headerPath =
  /^#\/(paths\/.*\/responses\/[^/]+|components\/responses\/[^/]+|components)\/headers\/[^/]+$/;

/**
 * Returns the type of a parameter or of a response header in its direction; undefined for other types. Clients and handlers
 * take these as they are, without `Writable` and `Readable`.
 * @param path of the type in the document, after openapi-typescript
 */
export function typeInDirection(type: TypeNode, path: string): TypeNode | undefined {
  const helper = parameterPath.test(path) ? 'Writable' : headerPath.test(path) ? 'Readable' : undefined;
  return helper && mayHaveProperties(type) ? ts.factory.createTypeReferenceNode(helper, [type]) : undefined;
}

const mayHaveProperties = (node: Node): boolean =>
  ts.isTypeLiteralNode(node) ||
  ts.isIndexedAccessTypeNode(node) ||
  ts.forEachChild(node, (child) => mayHaveProperties(child) || undefined) === true;
