import { type OperationId, type OperationTypes, operations } from '../../generated/operations.ts';
import type { components } from '../../generated/types.ts';
import type { ApiOf, HandlerOf, InputOf } from './handler-types.ts';

/** Whoever sent the request: the holder of its token. */
export interface Caller {
  companyId: number;
  userId: number;
  tokenId: number;
  scopes: ReadonlySet<string>;
}

/** The contract's schemas as types, by their names. */
export type Schemas = components['schemas'];

/** What the handler of an operation is given. */
export type Input<Id extends OperationId> = InputOf<OperationTypes[Id], (typeof operations)[Id], Caller>;

/** Whether the contract has an operation of this name. */
export const isOperationId = (id: string | undefined): id is OperationId =>
  id !== undefined && Object.hasOwn(operations, id);

/** Where an operation is: its path template. */
export const pathOf = (id: OperationId): string => operations[id].path;

/** Where operations are. */
export const paths: readonly string[] = Object.values(operations).map(({ path }) => path);

/** The path of one resource, by the operation that gets or changes it. */
export const pathTo = (operation: OperationId, id: number): string =>
  pathOf(operation).replace('{id}', String(id));

/** A handler of one operation; `Needs` is what it reaches beyond its input, a store for instance. */
export type Handler<Id extends OperationId, HandlerDependencies> = HandlerOf<
  OperationTypes[Id],
  (typeof operations)[Id],
  Caller,
  HandlerDependencies
>;

/** A handler for every operation of the contract. */
export type Api<HandlerDependencies> = ApiOf<OperationTypes, typeof operations, Caller, HandlerDependencies>;
