import { type OperationId, type OperationTypes, operations } from '../../generated/operations.ts';
import type { components } from '../../generated/types.ts';
import type { InputOf, ResponseOf } from '../contract/handler-types.ts';

/** The authenticated caller: the holder of the token. */
export interface Caller {
  companyId: number;
  userId: number;
  tokenId: number;
  scopes: ReadonlySet<string>;
}

/** The contract's schemas as types, by name. */
export type Schemas = components['schemas'];

type ValidatedInput<Id extends OperationId> = InputOf<OperationTypes, typeof operations, Id, Caller>;

/** The body of an operation's requests. */
export type BodyOf<Id extends OperationId> = ValidatedInput<Id>['body'];

/** The input of an operation's handler. Handlers read the body with `readBody`. */
export type Input<Id extends OperationId> = Omit<ValidatedInput<Id>, 'body'> & {
  body: [BodyOf<Id>] extends [undefined] ? undefined : RequestBody<BodyOf<Id>>;
};

/** A response that an operation documents. As a handler's return type, it lets the compiler name invalid properties. */
export type ResponseTo<Id extends OperationId> = ResponseOf<
  OperationTypes,
  Id,
  'X-Request-Id' | 'RateLimit' | 'RateLimit-Policy' | 'ETag'
>;

/** Whether the contract has an operation of this name. */
export const isOperationId = (id: string | undefined): id is OperationId =>
  id !== undefined && Object.hasOwn(operations, id);

/** Returns the path template of an operation. */
export const pathOf = (id: OperationId): string => operations[id].path;

/** Returns the path of a resource: the path of an operation, with the resource's ID. */
export const pathTo = (operation: OperationId, id: number): string =>
  pathOf(operation).replace('{id}', String(id));

/** Returns the response body of an update or a deletion (D24). */
export const done = (message: string): Schemas['Done'] => ({ code: 20000, message, fields: '' });

declare const content: unique symbol;

/** The validated body of a request. Only `readBody` gives access to its properties. */
export interface RequestBody<out Content> {
  readonly [content]: Content;
}

/**
 * Reads a body. Does not compile if `read` ignores a property that the contract accepts.
 * @param read destructures the body. Returns the result, and the properties that remain: `({ name, ...rest }) =>
 * [name, rest]`. A property that has no effect is assigned to a variable whose name begins with `_`.
 */
export function readBody<Content, Result>(
  body: RequestBody<Content>,
  read: (content: Content) => readonly [read: Result, remaining: Record<string, never>],
): Result {
  // A body has its type only at compile time. At run time it is the validated JSON value.
  return read(body as unknown as Content)[0];
}
