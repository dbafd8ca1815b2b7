import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/** Version 00 of W3C Trace Context, with the ID of the trace. IDs of zeros are invalid. */
const shape = /^00-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** Runs work for the trace of a request, including everything asynchronous that the work starts. An invalid value starts none. */
export const continueTrace = <T>(traceparent: unknown, work: () => T): T =>
  typeof traceparent === 'string' && shape.test(traceparent) ? current.run(traceparent, work) : work();

/** Returns the `traceparent` of the request that this code works for; null if there is no trace. */
export const currentTraceparent = (): string | null => current.getStore() ?? null;

/** Returns the trace ID of a `traceparent`; undefined if it is missing or invalid. */
export const traceIdOf = (traceparent: string | null): string | undefined =>
  shape.exec(traceparent ?? '')?.[1];
