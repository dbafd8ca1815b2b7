import { escapePointer } from '../../../server/lib/json-text.ts';
import type { Operation } from '../model/operation.ts';

/**
 * Returns a JSON Pointer into the contract.
 * @param status the status of a response
 * @param location JSON Pointer to a value of the body (default: the whole message)
 */
export type PointerOf = (
  operation: Operation,
  status: number | undefined,
  location: string | undefined,
) => string;

/** Returns the location that documents a response. */
export const responsePointer: PointerOf = ({ pointer, responses }, status, location) => {
  const documented = Object.keys(responses);
  const key = documented.find((each) => each === String(status)) ?? documented[0] ?? '';
  const type = responses[key]?.content[0]?.mediaType ?? '';
  return `${pointer}/responses/${key}${inSchema(type, location)}`;
};

/** Returns the location that documents an event. The path of its operation is the name of the webhook. */
export const eventPointer: PointerOf = ({ pointer, body }, _status, location) =>
  `${pointer}/requestBody${inSchema(body?.content[0]?.mediaType ?? '', location)}`;

const inSchema = (type: string, location: string | undefined): string =>
  location === undefined
    ? ''
    : `/content/${escapePointer(type)}/schema${location.split('/').slice(1).map(stepTo).join('')}`;

const stepTo = (token: string): string => (/^\d+$/.test(token) ? '/items' : `/properties/${token}`);
