import { PipelineError } from '../../../server/contract/errors.ts';
import type { RequestHead } from '../../../server/contract/exchange.ts';

/** The preferences in a request: `Prefer: code=404, example=NAME, dynamic=true`. */
export interface Preferences {
  code: number | undefined;
  exampleKey: string | undefined;
  dynamic: boolean | undefined;
  /** The seed for generated values. */
  seed: string | undefined;
}

/** The preferences that every form of the mock applies. */
export const mockPreferences = ['code', 'example', 'wait', 'scenario'];

/** Those that only the mock server applies, which can generate bodies. */
export const generatorPreferences = ['dynamic', 'seed'];

/** Returns the `Prefer` header of a request; empty if it has none. */
export const preferOf = ({ headers }: Pick<RequestHead, 'headers'>): string =>
  [headers.prefer ?? []].flat().join(', ');

/** Parses the `Prefer` header (RFC 7240), with the preferences that Prism knows. @throws PipelineError for invalid values */
export function parsePrefer(prefer: string): Preferences {
  const given = preferencesIn(prefer);
  const read = <Value>(name: string, shape: RegExp, convert: (text: string) => Value) => {
    const text = given.get(name);
    if (text === undefined) return undefined;
    if (shape.test(text)) return convert(text);
    throw new PipelineError('validationFailed', {
      message:
        'Prefer must have a status code of three digits, such as code=404, and dynamic as true or false.',
      fields: 'header/Prefer',
    });
  };
  return {
    code: read('code', /^\d{3}$/, Number),
    exampleKey: read('example', /./s, String),
    dynamic: read('dynamic', /^(true|false)$/, (text) => text === 'true'),
    seed: read('seed', /./s, String),
  };
}

/** Whether preferences select a documented response instead of the usual one. */
export function selectsResponse(prefer: string): boolean {
  const given = preferencesIn(prefer);
  return ['code', 'example', 'dynamic'].some((name) => given.has(name));
}

/** Returns the values of preferences by name; empty for those without a value. The first of the same name counts. */
export function preferencesIn(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const preference of header.match(/(?:"[^"]*(?:"|$)|[^,"])+/g) ?? []) {
    const [, name = '', value = ''] = /^([^=;]*)(?:=((?:"[^"]*(?:"|$)|[^;"])*))?/.exec(preference) ?? [];
    const key = name.trim().toLowerCase();
    const text = value.trim().replace(/^"(.*)"$/s, '$1');
    if (key !== '' && !found.has(key)) found.set(key, text);
  }
  return found;
}

const maxWaitSeconds = 60;

/** Returns the delay that `wait=2` requests, at most a minute. Values that are not numbers are ignored. */
export function waitSecondsIn(prefer: string): number {
  const text = preferencesIn(prefer).get('wait') ?? '';
  return /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Math.min(Number(text), maxWaitSeconds) : 0;
}

/**
 * Returns the names of the preferences without effect.
 * @param own the preferences of the mock itself
 * @param applied the header `Preference-Applied` of the response
 */
export const ignoredPreferences = (
  prefer: string,
  own: readonly string[],
  applied: string | undefined = '',
): string[] =>
  [...preferencesIn(prefer).keys()].filter(
    (name) => !own.includes(name) && !applied.toLowerCase().includes(name),
  );
