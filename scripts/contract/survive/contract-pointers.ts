import { escapePointer } from '../../../server/lib/json-text.ts';
import type { TestedOperation } from '../../testing/requests/operations.ts';

/**
 * Returns a JSON Pointer into the contract.
 * @param status the status of a response
 * @param place JSON Pointer to a value of the body (default: the whole message)
 */
export type PointerOf = (
  operation: TestedOperation,
  status: number | undefined,
  place: string | undefined,
) => string;

/** Returns the place that documents a response. */
export const responsePointer: PointerOf = ({ method, path, responses }, status, place) => {
  const documented = Object.keys(responses);
  const key = documented.find((each) => each === String(status)) ?? documented[0] ?? '';
  const type = responses[key]?.types[0]?.mediaType ?? '';
  return `/paths/${escapePointer(path)}/${method.toLowerCase()}/responses/${key}${inSchema(type, place)}`;
};

/** Returns the place that documents an event. The path of its operation is the name of the webhook. */
export const eventPointer: PointerOf = ({ method, path, body }, _status, place) =>
  `/webhooks/${escapePointer(path)}/${method.toLowerCase()}/requestBody${inSchema(body?.types[0]?.mediaType ?? '', place)}`;

const inSchema = (type: string, place: string | undefined): string =>
  place === undefined
    ? ''
    : `/content/${escapePointer(type)}/schema${place.split('/').slice(1).map(stepTo).join('')}`;

const stepTo = (token: string): string => (/^\d+$/.test(token) ? '/items' : `/properties/${token}`);
