import type { HandlerResponse } from './exchange.ts';
import type { HandleOptions } from './handle-request.ts';

type AnyHandler<Dependencies> = (input: never, dependencies: Dependencies) => Promise<HandlerResponse>;

/**
 * Creates the `respond` option of a pipeline from typed handlers.
 * @param handlers one per operation, by operation ID. `ApiOf` checks their types.
 * @returns a function that throws Error for an operation without a handler
 */
export function callHandlers<Caller, Dependencies>(
  handlers: Readonly<Record<string, AnyHandler<Dependencies>>>,
  dependencies: Dependencies,
): HandleOptions<Caller>['respond'] {
  const byId = new Map(Object.entries(handlers));
  return async ({ id }, input) => {
    const handler = byId.get(id);
    if (!handler) throw new Error(`${id} has no handler.`);
    // The pipeline has validated the input against the contract, from which its type is generated.
    return handler(input as never, dependencies);
  };
}
