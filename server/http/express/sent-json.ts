import type { ServerResponse } from 'node:http';
import { isObject } from '../../lib/json-object.ts';
import { endWithText } from './capture-response.ts';

/** The value that a route has given to `res.json`, and the text that was sent for it. */
interface SentJson {
  value: unknown;
  text: string;
}

/** The parts of an Express response that `res.json` uses. */
interface ExpressResponse {
  app: { get: (setting: string) => unknown };
  get: (header: string) => unknown;
  set: (header: string, value: string) => unknown;
  send: (text: string) => unknown;
}

type SendJson = (this: ServerResponse, ...given: unknown[]) => unknown;

/** Settings of an application that change the text. */
const settings = ['json escape', 'json replacer', 'json spaces'];

/**
 * Remembers what a route gives to `res.json`, so that its text need not be parsed again to validate it. Only plain data is
 * remembered, because other values can differ from their text; and only if `res.json` is that of Express.
 * @returns a function that returns the value of a body; undefined if it is not known
 */
export function rememberJson(res: ServerResponse): (body: string | Buffer) => { value: unknown } | undefined {
  let sent: SentJson | undefined;
  const sendJson: unknown = Reflect.get(res, 'json');
  if (!isOfExpress(sendJson, /["'`]json replacer["'`]/) || !isExpressResponse(res)) return () => undefined;
  Object.assign(res, {
    json(this: ServerResponse & ExpressResponse, ...given: unknown[]) {
      const [value] = given;
      const isChanged = settings.some((setting) => Boolean(this.app.get(setting)));
      if (given.length !== 1 || isChanged || !isPlainJson(value, maxDepth))
        return sendJson.apply(this, given);
      const text = JSON.stringify(value);
      sent = { value, text };
      // As Express does.
      if (!this.get('Content-Type')) this.set('Content-Type', 'application/json');
      const send = () => this.send(text);
      return isOfExpress(this.send, /generateETag/) ? endWithText(this, text, send) : send();
    },
  });
  return (body) =>
    sent && (typeof body === 'string' ? body : body.toString()) === sent.text ? sent : undefined;
}

const isExpressResponse = (res: object): res is ExpressResponse =>
  ['get', 'set', 'send'].every((name) => typeof Reflect.get(res, name) === 'function') &&
  typeof Reflect.get(Object(Reflect.get(res, 'app')), 'get') === 'function';

const known = new WeakMap<object, boolean>();

/** Whether a method is that of Express, and not one that an application has put in its place. @param mark is in its text */
function isOfExpress(method: unknown, mark: RegExp): method is SendJson {
  if (typeof method !== 'function') return false;
  const isKnown = known.get(method) ?? mark.test(Function.prototype.toString.call(method));
  known.set(method, isKnown);
  return isKnown;
}

const maxDepth = 100;

/** Whether `JSON.stringify` writes a value as it is: nothing is left out, replaced, or converted by a `toJSON`. */
function isPlainJson(value: unknown, levels: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || levels === 0 || 'toJSON' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (isObject(value)) {
    if (prototype !== Object.prototype && prototype !== null) return false;
    // Half the time of `Object.keys`. Inherited properties are not written, and seldom there.
    for (const name in value) if (!isPlainJson(value[name], levels - 1)) return false;
    return true;
  }
  if (!Array.isArray(value) || prototype !== Array.prototype) return false;
  // An index instead of an iterator: lists are long.
  for (let at = 0; at < value.length; at += 1) if (!isPlainJson(value[at], levels - 1)) return false;
  return true;
}
