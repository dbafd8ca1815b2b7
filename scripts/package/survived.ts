/** For tests of clients: `import { survived } from 'parley-contract/survived'`. It imports nothing, so that tests start fast. */

/**
 * Reports to `parley-contract survive` what a client made of the last response. Outside of it, this only returns the
 * value. Tests that use it must run one after the other.
 * @param result what the client returned, or a function that calls it, whose error is reported too
 * @param options `complete`: the value should have the items of all pages of a list; `environment`: the variables that the
 *   command sets (default: those of the process)
 * @returns the value; undefined if the client reported an error while a scenario ran
 */
export async function survived<Value>(
  result: Value | (() => Value | Promise<Value>),
  {
    complete = false,
    environment = process.env,
  }: { complete?: boolean; environment?: NodeJS.ProcessEnv } = {},
): Promise<Value | undefined> {
  const { SURVIVE_URL: url, SURVIVE_SCENARIO: scenario } = environment;
  const report = (body: string) => url && fetch(new URL('/_survived', url), { method: 'POST', body });
  try {
    const value = result instanceof Function ? await result() : result;
    await report(
      JSON.stringify({ value, complete }, (_key, each) => (typeof each === 'bigint' ? `${each}` : each)),
    );
    return value;
  } catch (error) {
    if (!scenario) throw error;
    await report(JSON.stringify({ error: describeError(error), complete }, withoutRepetitions()));
    return undefined;
  }
}

/** Some clients throw what the service sent, or a response. Some errors have the status only in their response. */
function describeError(error: unknown): object {
  const { status, statusCode, code, response }: Record<string, unknown> = Object(error);
  const { status: statusOfResponse } = Object(response);
  const { name = 'Error', message = String(error) } = Object(error);
  return { status: status ?? statusCode ?? statusOfResponse, code, ...Object(error), name, message };
}

/** Creates a function that omits objects that a value has contained before: errors can contain connections, which do. */
function withoutRepetitions(): (key: string, value: unknown) => unknown {
  const seen = new WeakSet<object>();
  return (_key, value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (seen.has(value)) return undefined;
    seen.add(value);
    return value;
  };
}
