import type { IncomingMessage } from 'node:http';
import { isObject } from '../../lib/json-object.ts';

const current = Symbol('parameters');
const scalars = Symbol('converted parameters');

/** A request whose parameters are converted. */
interface ConvertedRequest {
  [current]?: unknown;
  [scalars]?: { names: readonly string[]; path: Readonly<Record<string, unknown>> } | undefined;
}

/**
 * Converts the parameters that a router finds to the types of the contract, each time it sets them. Those with another name
 * or text than in the contract stay as they are.
 */
export function convertParams(req: IncomingMessage, path: Readonly<Record<string, unknown>>): void {
  const converted = Object.keys(path).filter((name) => isScalar(path[name]));
  if (converted.length === 0) return;
  const prototype: unknown = Reflect.get(Object(Reflect.get(req, 'app')), 'request');
  // Express creates a prototype for the requests of each application. An accessor there is inherited by all but the first
  // of them. An own one would take a tenth of the time of a request, because V8 reconfigures the request.
  if (isObject(prototype) && !Object.hasOwn(prototype, 'params'))
    Reflect.defineProperty(prototype, 'params', accessor);
  const found: unknown = Reflect.get(req, 'params');
  if (Object.hasOwn(req, 'params')) Object.defineProperty(req, 'params', accessor);
  Object.assign(req, { [current]: found, [scalars]: { names: converted, path } });
}

const isScalar = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

const accessor: PropertyDescriptor & ThisType<ConvertedRequest> = {
  configurable: true,
  enumerable: true,
  get() {
    return this[current];
  },
  set(found: unknown) {
    this[current] = found;
    if (this[scalars] === undefined || !isObject(found)) return;
    const { names, path } = this[scalars];
    let converted: typeof found | undefined;
    for (const name of names)
      if (found[name] === String(path[name])) {
        converted ??= { ...found };
        converted[name] = path[name];
      }
    this[current] = converted ?? found;
  },
};
