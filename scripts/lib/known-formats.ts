import addFormats, { type FormatName } from 'ajv-formats';
import { formats } from '../../server/lib/formats.ts';

/** Formats that ajv-formats checks with one pattern. The names with `iso-` are its own; their full mode has no pattern. */
const patterns: readonly (readonly [name: FormatName, mode: 'full' | 'fast'])[] = [
  ...(['ipv4', 'ipv6', 'uri-template', 'json-pointer', 'json-pointer-uri-fragment'] as const).map(
    (name) => [name, 'full'] as const,
  ),
  ...(['iso-date-time', 'iso-time'] as const).map((name) => [name, 'fast'] as const),
];

function patternOf(name: FormatName, mode: 'full' | 'fast'): RegExp {
  const format = addFormats.default.get(name, mode);
  const pattern = typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (!(pattern instanceof RegExp))
    throw new Error(`This version of ajv-formats has no pattern for ${name}.`);
  return pattern;
}

/** Formats that only describe the purpose, and allow every value. */
const hints = ['float', 'double', 'binary', 'password'];

/**
 * All formats that are validated, by name: patterns, functions of `server/lib/formats.ts`, or true for those that allow
 * every value. All other formats allow every value, too.
 */
export const knownFormats: Readonly<Record<string, RegExp | true | (typeof formats)[keyof typeof formats]>> =
  {
    ...Object.fromEntries(patterns.map(([name, mode]) => [name, patternOf(name, mode)])),
    // RFC 3339, appendix A: a unit follows the next larger one only.
    duration:
      /^P(?:\d+W|(?=.)(?:\d+D|\d+M(?:\d+D)?|\d+Y(?:\d+M(?:\d+D)?)?)?(?:T(?:\d+S|\d+M(?:\d+S)?|\d+H(?:\d+M(?:\d+S)?)?))?)$/,
    // Of JSON Schema 2020-12, with index manipulation: `0-1/a`.
    'relative-json-pointer': /^(?:0|[1-9]\d*)(?:[+-](?:0|[1-9]\d*))?(?:#|(?:\/(?:[^~/]|~[01])*)*)$/,
    // RFC 9562 without the prefix of URNs, which ajv-formats allows.
    uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
    // RFC 4648, section 4, without line feeds.
    byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    ...Object.fromEntries(hints.map((name) => [name, true] as const)),
    ...formats,
  };
