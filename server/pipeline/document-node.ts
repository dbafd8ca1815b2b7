import { isObject, type JsonObject, listOf as lists, objectOf } from '../lib/json-object.ts';

/** An object in a document, of unknown shape. */
export type DocumentNode = JsonObject;

export const isDocumentNode = isObject;
export const nodeOf = objectOf;
export const listOf = lists;
