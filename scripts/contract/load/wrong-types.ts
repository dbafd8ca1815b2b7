import { isRef, type NormalizedNodeType, type Plugin } from '@redocly/openapi-core';
import { isObject } from '../../../server/lib/json-object.ts';
import { wordingOf } from '../../../server/lib/wording.ts';
import { applyDefaults } from './apply-defaults.ts';

/** A part of a document whose value has a type that OpenAPI does not allow there. */
export interface WrongType {
  severity: 'error';
  message: string;
  fix: string;
  /** The file, and the JSON Pointer in it. */
  location: [Place];
}

interface Place {
  source: { absoluteRef: string };
  pointer: string;
  child: (names: (string | number)[]) => Place;
}

interface Visited {
  type: NormalizedNodeType;
  location: Place;
  /** The node and its place before references are followed. */
  rawNode: unknown;
  rawLocation: Place;
  key: string | number;
  resolve: (node: { $ref: string }) => { node?: unknown };
}

/** The type that a part must have, in words (`must be an object`), and whether a value has it. */
interface Wanted {
  wording: string;
  fits: (value: unknown) => boolean;
}

const object: Wanted = { wording: wordingOf('type', { type: 'object' }), fits: isObject };
const list: Wanted = { wording: wordingOf('type', { type: 'array' }), fits: Array.isArray };
const text: Wanted = {
  wording: wordingOf('type', { type: 'string' }),
  fits: (value) => typeof value === 'string',
};
const reference: Wanted = { ...text };
const texts: Wanted = { ...list };

/**
 * Creates a plugin of Redocly that finds the parts of a document that no tool can read: `null` instead of an operation, or a map
 * instead of a list. Redocly knows what each part must be, in each version of OpenAPI. Where a text must be, many public
 * documents have numbers or dates, which the plugin changes to texts.
 * @param found receives the parts that no tool can read
 */
export function wrongTypesPlugin(found: WrongType[]): Plugin {
  const expect = (name: string, wanted: Wanted, value: unknown, location: Place): void => {
    if (wanted.fits(value)) return;
    const wrong = value === undefined ? 'but is missing' : `not ${described(value)}`;
    const message = `${name} ${wanted.wording}, ${wrong}.`;
    found.push({ severity: 'error', message, fix: 'Correct the value, or remove it.', location: [location] });
  };
  const visitor = () => ({
    any(node: unknown, { type, location, rawLocation, rawNode, key, resolve }: Visited) {
      if (isIgnored(type, key) || (type.name === 'Schema' && typeof node === 'boolean')) return;
      const name = typeof key === 'number' ? `Item ${key}` : key;
      const subject = isRef(rawNode) ? `The target of the reference ${rawNode.$ref}` : name;
      expect(
        subject,
        type.items === undefined ? object : list,
        node,
        isRef(rawNode) ? rawLocation : location,
      );
      if (isObject(node)) checkProperties(node, type, location, resolve);
    },
  });
  function checkProperties(
    node: Record<string, unknown>,
    type: NormalizedNodeType,
    location: Place,
    resolve: Visited['resolve'],
  ): void {
    for (const [name, given] of Object.entries(node)) {
      if (isAbsent(type, name, given)) delete node[name];
      const wanted = wantedOf(type, name, given);
      const value = isRef(given) ? resolve(given).node : node[name];
      // Redocly reports references without a target.
      if (wanted === undefined || value === undefined) continue;
      if (wanted === text && isPlain(given)) node[name] = String(given);
      else expect(name, wanted, value, location.child([name]));
      if (wanted !== texts || !Array.isArray(value)) continue;
      for (const [at, each] of value.entries())
        if (isPlain(each)) value[at] = String(each);
        else expect(`Item ${at} of ${name}`, text, each, location.child([name, at]));
    }
    for (const name of type.name === 'Parameter' ? ['name', 'in'] : [])
      if (node[name] === undefined) expect(name, text, undefined, location);
  }
  const preprocessors = { defaults: applyDefaults, 'wrong-types': visitor };
  return { id: 'parley-load', preprocessors: { oas2: preprocessors, oas3: preprocessors } };
}

/** Whether the tools do not read a part, because it belongs to an extension. */
const isIgnored = ({ name }: NormalizedNodeType, key: string | number): boolean =>
  /^(SpecExtension|X[A-Z]\w*|Logo|TagGroups?|EnumDescriptions)$/.test(name) ||
  (name === 'PathItem' && String(key).startsWith('x-'));

/** Returns Redocly's type of a property; undefined if it does not know the property, null if it can be anything. */
function typeOf(type: NormalizedNodeType, name: string, value: unknown) {
  const known = Object.hasOwn(type.properties, name) ? type.properties[name] : type.additionalProperties;
  return typeof known === 'function' ? known(value, name) : known;
}

/**
 * Whether a property counts as absent: it has no value, as YAML allows (`tags:`), or an empty list, as PHP writes an empty
 * map. An operation must not disappear, and null is a value in some keywords of schemas.
 */
function isAbsent(type: NormalizedNodeType, name: string, value: unknown): boolean {
  if (!Object.hasOwn(type.properties, name) || name === '$ref') return false;
  if (type.name === 'Schema' && !/^(externalDocs|xml)$/.test(name)) return false;
  // Null is a value of an example.
  if (name === 'example' || (type.name === 'Example' && name === 'value')) return false;
  const wanted = typeOf(type, name, value);
  if (wanted?.name === 'Operation') return false;
  const isMap = typeof wanted?.name === 'string' && wanted.items === undefined;
  return value === null || (isMap && Array.isArray(value) && value.length === 0);
}

/** Returns what a property must be; undefined if it can be anything, or if Redocly or the meta-schema check it. */
function wantedOf(type: NormalizedNodeType, name: string, value: unknown): Wanted | undefined {
  if (name.startsWith('x-')) return undefined;
  if (name === '$ref' && Object.keys(type.properties).length > 0) return reference;
  const wanted = typeOf(type, name, value);
  // Redocly does not know paths without a slash, and what is not a status code, but the tools read them.
  if (!wanted) return /^(Paths|PathItem|Responses)$/.test(type.name) ? object : undefined;
  if (typeof wanted.name === 'string' || type.name === 'Schema') return undefined;
  if (type.name === 'Parameter' && name === 'in' && 'enum' in wanted && wanted.enum)
    return oneOf(wanted.enum);
  if (!('type' in wanted)) return undefined;
  if (wanted.type === 'array') return wanted.items?.type === 'string' ? texts : list;
  return wanted.type === 'object' ? object : wanted.type === 'string' ? text : undefined;
}

const oneOf = (allowed: readonly string[]): Wanted => ({
  wording: wordingOf('enum', { allowedValues: allowed }),
  fits: (value) => allowed.some((each) => each === value),
});

const isPlain = (value: unknown): boolean => /^(string|number|boolean)$/.test(typeof value);

function described(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value !== 'object') return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}
