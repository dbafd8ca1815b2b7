import { isJson } from '../../../../server/contract/media-type.ts';
import type { Contract } from '../../model/contract.ts';
import type { Form } from './write-form.ts';

/**
 * Returns the forms that openapi-fetch 0.17 would send as JSON, by method and path of their operation. If an operation
 * accepts JSON too, only values with files must be forms.
 */
export const formRules = ({ operations }: Contract): [operation: string, form: Form][] =>
  operations.flatMap(({ method, path, body }): [string, Form][] => {
    const types = (body?.content ?? []).map(({ mediaType }) => mediaType);
    const has = (wanted: string) =>
      types.some((type) => type.split(';', 1)[0]?.trim().toLowerCase() === wanted);
    const form = formOf(
      has('multipart/form-data'),
      has('application/x-www-form-urlencoded'),
      types.some(isJson),
    );
    return form ? [[`${method.toUpperCase()} ${path}`, form]] : [];
  });

function formOf(multipart: boolean, urlencoded: boolean, json: boolean): Form | undefined {
  if (multipart) return json ? 'multipart if it has files' : 'multipart';
  return urlencoded && !json ? 'urlencoded' : undefined;
}
