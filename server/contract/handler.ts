import { type OperationId, type OperationTypes, operations } from '../../generated/operations.ts';
import type { components } from '../../generated/types.ts';
import type { ApiOf, HandlerOf, InputOf, ResponseOf } from '../pipeline/handler-types.ts';

/** The authenticated caller: the holder of the token. */
export interface Caller {
  companyId: number;
  userId: number;
  tokenId: number;
  scopes: ReadonlySet<string>;
}

/** The contract's schemas as types, by name. */
export type Schemas = components['schemas'];

/** The input of an operation's handler. */
export type Input<Id extends OperationId> = InputOf<OperationTypes, typeof operations, Id, Caller>;

/** A response that an operation documents. As a handler's return type, it lets the compiler name invalid properties. */
export type ResponseTo<Id extends OperationId> = ResponseOf<OperationTypes, Id>;

/** Whether the contract has an operation of this name. */
export const isOperationId = (id: string | undefined): id is OperationId =>
  id !== undefined && Object.hasOwn(operations, id);

/** Returns the path template of an operation. */
export const pathOf = (id: OperationId): string => operations[id].path;

/** The path templates of all operations. */
export const paths: readonly string[] = Object.values(operations).map(({ path }) => path);

/** Returns the path of a resource: the path of an operation, with the resource's ID. */
export const pathTo = (operation: OperationId, id: number): string =>
  pathOf(operation).replace('{id}', String(id));

/** A value of type `Given` that has no properties beyond those of `Known`. A variable with others does not compile. */
export type Exact<Given extends Known, Known> = Given & {
  [Other in Exclude<keyof Given, keyof Known>]: never;
};

/** A handler of one operation. It receives `HandlerDependencies`, such as a store, in addition to its input. */
export type Handler<Id extends OperationId, HandlerDependencies> = HandlerOf<
  OperationTypes,
  typeof operations,
  Id,
  Caller,
  HandlerDependencies
>;

/** A handler for every operation of the contract. */
export type Api<HandlerDependencies> = ApiOf<OperationTypes, typeof operations, Caller, HandlerDependencies>;
