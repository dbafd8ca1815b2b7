import { isJson } from '../../../../server/contract/media-type.ts';
import { planForm } from '../../compile/plan-form.ts';
import type { Contract } from '../../model/contract.ts';
import type { Content } from '../../model/operation.ts';
import { ruleOf } from './parameter-rules.ts';
import type { Form } from './write-form.ts';

/**
 * Returns the forms that openapi-fetch 0.17 would send as JSON, by method and path of their operation. If an operation
 * accepts JSON too, only values with files must be forms.
 */
export const formRules = ({ operations, resolve }: Contract): [operation: string, form: Form][] =>
  operations.flatMap(({ method, path, body }): [string, Form][] => {
    const content = body?.content ?? [];
    const find = (wanted: string) =>
      content.find(({ mediaType }) => mediaType.split(';', 1)[0]?.trim().toLowerCase() === wanted);
    const [multipart, urlencoded] = [find('multipart/form-data'), find('application/x-www-form-urlencoded')];
    const kind = kindOf(
      multipart !== undefined,
      urlencoded !== undefined,
      content.some(({ mediaType }) => isJson(mediaType)),
    );
    const form = multipart ?? urlencoded;
    if (!kind || !form) return [];
    return [[`${method.toUpperCase()} ${path}`, { kind, fields: fieldsOf(form, resolve) }]];
  });

/** Returns the properties with an encoding; none if it is not defined, because servers then refuse all requests. */
function fieldsOf(form: Content, resolve: Contract['resolve']): Form['fields'] {
  try {
    return planForm(form, resolve).query.parameters.slice(0, -1).map(ruleOf);
  } catch {
    return [];
  }
}

function kindOf(multipart: boolean, urlencoded: boolean, json: boolean): Form['kind'] | undefined {
  if (multipart) return json ? 'multipart if it has files' : 'multipart';
  return urlencoded && !json ? 'urlencoded' : undefined;
}
