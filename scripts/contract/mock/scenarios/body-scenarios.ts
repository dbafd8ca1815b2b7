import { isJson } from '../../../../server/contract/media-type.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { escapePointer, unescapePointer } from '../../../../server/lib/json-text.ts';
import { valueAt } from '../../../lib/json-pointer.ts';
import { alike, headerOf, type ResponseContext, type Scenario, type ScenarioResponse } from './scenario.ts';

/** The name of a property, and the value of an enumeration, that the contract does not have. */
const added = 'added_later';

/** Returns other values for a location of a body, the best first; `undefined` removes a property. */
type OtherValues = (location: JsonLocation, context: ResponseContext) => readonly unknown[];

/** Scenarios that change values of JSON bodies. */
export const bodyScenarios = alike({ class: 'documented', effect: 'values' }, [
  {
    name: 'absent-properties',
    title: 'Properties that are not required are absent.',
    legal: 'contract',
    change: changeValues(({ pointer }) => (isProperty(pointer) ? [undefined] : []), 'valid'),
  },
  {
    name: 'nulls',
    title: 'Each value that can be null is null.',
    legal: 'contract',
    change: changeValues(({ pointer, value }) => (pointer === '' || value === null ? [] : [null]), 'valid'),
  },
  {
    name: 'empty-lists',
    title: 'Each list is empty.',
    legal: 'contract',
    change: changeValues(({ value }) => (Array.isArray(value) && value.length > 0 ? [[]] : []), 'valid'),
  },
  {
    name: 'smallest-values',
    title: 'Texts are empty or as short as allowed, and numbers as small as allowed.',
    legal: 'contract',
    change: changeValues(
      ({ pattern, value }, { locations }) => (isMarked(locations.ids, pattern) ? [] : smallest(value)),
      'valid',
    ),
  },
  {
    name: 'largest-values',
    title: 'Texts are as long as allowed, with characters outside of ASCII, and numbers as large as allowed.',
    legal: 'contract',
    change: changeValues(
      ({ pattern, value }, { locations }) => (isMarked(locations.ids, pattern) ? [] : largest(value)),
      'valid',
    ),
  },
  {
    name: 'large-integers',
    title: 'Integers without a maximum exceed 2^53, up to which numbers of JavaScript are exact.',
    legal: 'contract',
    alone: true,
    change(response, context) {
      const changed = largeEvenIntegers(response, context);
      return changed && { ...changed, payload: withOddIntegers(String(changed.payload)) };
    },
  },
  {
    name: 'date-times',
    class: 'http',
    title: 'Points in time have another legal form: an offset, fractions of a second, lower-case letters.',
    effect: 'nothing',
    legal: { standard: 'RFC 3339, section 5.6' },
    change: changeValues(
      ({ pattern, value }, { locations }) =>
        isMarked(locations.dateTimes, pattern) ? otherTimes(value) : [],
      'valid',
    ),
  },
  {
    name: 'new-properties',
    class: 'evolution',
    title: 'Each object has a property that the contract does not document.',
    effect: 'nothing',
    legal: { promise: 'properties' },
    requestBodyOf: withUsual,
    change: changeValues(
      ({ value }, { isPromised }) =>
        isObject(value) && isPromised('properties')
          ? [{ ...value, [added]: { text: 'added later', items: [1] } }]
          : [],
      'unchecked',
    ),
  },
  {
    name: 'new-enum-values',
    class: 'evolution',
    title: 'Each value of an open enumeration is one that the contract does not list.',
    legal: { promise: 'enum-values' },
    requestBodyOf: withUsual,
    change: changeValues(
      ({ pattern, value }, { locations, isPromised }) =>
        isPromised('enum-values') && isMarked(locations.enumerations, pattern) ? newValue(value) : [],
      'unchecked',
    ),
  },
  {
    name: 'new-error-codes',
    class: 'evolution',
    title: 'Errors have a code that the contract does not list.',
    effect: 'error',
    legal: { promise: 'error-codes' },
    preferFor({ examples }) {
      const status = Object.keys(examples).find((key) => /^4\d\d$/.test(key));
      return status === undefined ? undefined : `code=${status}`;
    },
    change: changeValues(
      ({ pattern, value }, { locations, isPromised }) =>
        isPromised('error-codes') && isMarked(locations.errorCodes ?? locations.enumerations, pattern)
          ? newValue(value)
          : [],
      'unchecked',
    ),
  },
]);

/** Replaces added values by the usual ones, and leaves out added properties: a later version of the service knows them. */
function withUsual(body: unknown, usual: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(body)) return body.map((each) => withUsual(each, usual));
  if (!isObject(body)) return body;
  const known = Object.entries(body).filter(([name]) => name !== added);
  return Object.fromEntries(
    known.map(([name, value]) => [name, value === added ? usual.get(name) : withUsual(value, usual)]),
  );
}

const isProperty = (pointer: string): boolean => pointer !== '' && !/\/\d+$/.test(pointer);

const isMarked = (marked: readonly string[] | undefined, pattern: string): boolean =>
  marked?.includes(pattern) === true;

/** @returns each candidate is tried; the first one that the contract allows is used */
const smallest = (value: unknown): readonly unknown[] => {
  if (typeof value === 'string') return value === '' ? [] : ['', 'a'];
  return typeof value === 'number' ? [-1, 0, 1].filter((each) => each < value) : [];
};

const lengths = [10_000, 1_000, 255, 200, 100, 64, 50, 30, 20];

const largest = (value: unknown): readonly unknown[] => {
  if (typeof value === 'string')
    return lengths
      .filter((length) => length > value.length)
      .map((length) => 'Ä東🙂 '.repeat(length).slice(0, length).toWellFormed());
  // The second one is the largest integer that all numbers of JavaScript up to it can represent.
  return typeof value === 'number'
    ? [Number.MAX_SAFE_INTEGER, 2 ** 31 - 1, 65_535, 100].filter((each) => each > value)
    : [];
};

/** The IDs in a response have to agree with the request, which JavaScript cannot compare with them. */
const largeEvenIntegers = changeValues(
  ({ pattern, value }, { locations }) =>
    typeof value === 'number' &&
    isMarked(locations.largeIntegers, pattern) &&
    !isMarked(locations.ids, pattern)
      ? [2 ** 53]
      : [],
  'valid',
);

/** Adds 1 to integers of 2^53, so that a number of JavaScript cannot represent them. */
const withOddIntegers = (json: string): string => json.replaceAll(String(2 ** 53), String(2n ** 53n + 1n));

function otherTimes(value: unknown): string[] {
  const [, date, time, fraction = ''] =
    typeof value === 'string' ? (/^([\d-]+)T([\d:]+)(\.\d+)?Z$/.exec(value) ?? []) : [];
  if (date === undefined || time === undefined) return [];
  return [
    `${date}T${time}${fraction}+00:00`,
    `${date}T${time}${fraction || '.000'}Z`,
    `${date}t${time}${fraction}z`,
  ];
}

const newValue = (value: unknown): unknown[] => {
  if (typeof value === 'string') return [added];
  return typeof value === 'number' ? [value + 57] : [];
};

/** Maximum number of characters of the bodies that are validated for one response: the whole body for each changed value. */
const maxWork = 20_000_000;

/**
 * Creates a change that replaces all values for which there are others.
 * @param legality `valid`: only as far as the contract allows the result; `unchecked`: a later contract allows it
 */
function changeValues(others: OtherValues, legality: 'valid' | 'unchecked'): Scenario['change'] {
  return (response, context) => {
    const body = jsonBody(response);
    if (body === undefined) return undefined;
    let result = body;
    const changed: string[] = [];
    // Inner values first, so that a removed or emptied value takes its changed parts with it.
    const most = Math.ceil(maxWork / String(response.payload).length);
    const selected = locationsIn(body).filter(({ pointer }) => context.isSelected(pointer));
    for (const location of selected.slice(0, most).toReversed()) {
      if (isMarked(context.locations.cursors, location.pattern)) continue;
      const value = valueAt(result, location.pointer);
      const isLegal = (candidate: unknown) => legality === 'unchecked' || context.isValid(candidate);
      const candidate = others({ ...location, value }, context)
        .map((other) => withValue(result, location.pointer, other))
        .find(isLegal);
      if (candidate === undefined) continue;
      result = candidate;
      changed.push(location.pointer);
    }
    return changed.length === 0
      ? undefined
      : { ...response, payload: JSON.stringify(result), changed: changed.toReversed() };
  };
}

/** Returns the parsed body of a JSON response; undefined for other responses. */
export function jsonBody({ headers, payload }: Pick<ScenarioResponse, 'headers' | 'payload'>): unknown {
  const type = headerOf(headers, 'content-type')?.[1] ?? '';
  return typeof payload === 'string' && isJson(type) ? JSON.parse(payload) : undefined;
}

/** A value inside a JSON body. */
interface JsonLocation {
  /** JSON Pointer. */
  pointer: string;
  /** The pointer with `*` in place of array indexes. */
  pattern: string;
  value: unknown;
}

/** Returns all values of a body, outer ones first. */
export function locationsIn(value: unknown, pointer = '', pattern = ''): JsonLocation[] {
  const inner = Array.isArray(value)
    ? value.flatMap((each, index) => locationsIn(each, `${pointer}/${index}`, `${pattern}/*`))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, each]) =>
          locationsIn(each, `${pointer}/${escapePointer(name)}`, `${pattern}/${escapePointer(name)}`),
        )
      : [];
  return [{ pointer, pattern, value }, ...inner];
}

/** Returns a copy of a body with another value at a location that exists. @param value undefined removes the property */
export function withValue(body: unknown, pointer: string, value: unknown): unknown {
  if (pointer === '') return value;
  const [, token = '', ...rest] = pointer.split('/');
  const tail = rest.length === 0 ? '' : `/${rest.join('/')}`;
  if (Array.isArray(body)) {
    const index = Number(token);
    return index < body.length ? body.with(index, withValue(body[index], tail, value)) : body;
  }
  if (!isObject(body)) return body;
  const name = unescapePointer(token);
  const { [name]: known, ...others } = body;
  const changed = withValue(known, tail, value);
  return changed === undefined ? others : { ...body, [name]: changed };
}
