import { jsonBody } from './body-scenarios.ts';
import { alike, headerOf, type Scenario, type ScenarioResponse, withoutHeader } from './scenario.ts';

/** Scenarios that change how a response is written, and not what it says. */
export const httpScenarios = alike({ class: 'http', effect: 'nothing' }, [
  {
    name: 'new-headers',
    class: 'evolution',
    title: 'Responses have headers that the contract does not document.',
    legal: { standard: 'RFC 9110, section 5.1' },
    change: (response) => withHeaders(response, { 'X-Added-Later': 'yes', 'Server-Timing': 'db;dur=3.2' }),
  },
  {
    name: 'charset',
    title: 'The media type has a charset parameter.',
    legal: { standard: 'RFC 9110, section 8.3.2' },
    change: changeType((type) => (type.includes(';') ? type : `${type};charset="UTF-8"`)),
  },
  {
    name: 'media-type-case',
    title: 'The media type is written in upper case.',
    legal: { standard: 'RFC 9110, section 8.3.1' },
    change: changeType((type) => type.toUpperCase()),
  },
  {
    name: 'json-forms',
    title: 'JSON has whitespace, escaped characters, and its properties in another order.',
    legal: { standard: 'RFC 8259, sections 2, 4 and 7' },
    change(response) {
      const body = jsonBody(response);
      return body === undefined
        ? undefined
        : { ...response, payload: escapedText(JSON.stringify(reversed(body), null, '\t')) };
    },
  },
  {
    name: 'number-forms',
    title: 'Integers are written with a fraction or an exponent: 12.0, 12e0.',
    legal: { standard: 'RFC 8259, section 6, and JSON Schema Core, section 4.2.3' },
    change(response) {
      const body = jsonBody(response);
      if (body === undefined) return undefined;
      let count = 0;
      const payload = mapNumbers(String(response.payload), (digits) => {
        count += 1;
        return count % 2 === 1 ? `${digits}.0` : `${digits}e0`;
      });
      return count === 0 ? undefined : { ...response, payload };
    },
  },
  {
    name: 'small-chunks',
    title: 'The body arrives in many small chunks, some of which end inside of a character.',
    legal: { standard: 'RFC 9112, section 7.1' },
    alone: true,
    change: (response) => (response.payload === undefined ? undefined : { ...response, delivery: 'chunks' }),
  },
  {
    name: 'slow-body',
    title: 'The body arrives in two halves, with a pause of half a second.',
    legal: { standard: 'RFC 9110, section 6.4' },
    alone: true,
    change: (response) => (response.payload === undefined ? undefined : { ...response, delivery: 'slow' }),
  },
]);

const withHeaders = (response: ScenarioResponse, headers: Record<string, string>): ScenarioResponse => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

function changeType(change: (type: string) => string): Scenario['change'] {
  return (response) => {
    const type = headerOf(response.headers, 'content-type')?.[1];
    if (type === undefined || change(type) === type) return undefined;
    return {
      ...response,
      headers: { ...withoutHeader(response.headers, 'content-type'), 'Content-Type': change(type) },
    };
  };
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, each]) => [name, reversed(each)]),
      )
    : value;
}

/** Escapes each solidus and each character outside of ASCII. They occur only inside of strings. */
const escapedText = (json: string): string =>
  json
    .replaceAll('/', '\\/')
    .replaceAll(/[^\t\n\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Changes integers in a JSON text, but not inside of strings. */
const mapNumbers = (json: string, change: (digits: string) => string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:[.eE][-+.\deE]*)?/g, (token) =>
    /^-?\d+$/.test(token) ? change(token) : token,
  );
