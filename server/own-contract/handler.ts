import { type OperationId, type OperationTypes, operations } from '../../generated/operations.ts';
import type { components } from '../../generated/types.ts';
import type { InputOf, ResponseOf } from '../contract/handler-types.ts';
import type { RequestBody } from './request-body.ts';

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
