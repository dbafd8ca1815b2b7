import { bodyFormatOf } from '../../../../server/contract/media-type.ts';
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
    const [multipart, urlencoded, json] = (['multipart', 'form', 'json'] as const).map((format) =>
      content.find(({ mediaType }) => bodyFormatOf(mediaType) === format),
    );
    const form = multipart ?? urlencoded;
    if (!form || (json && !multipart)) return [];
    const kind = !multipart ? 'urlencoded' : json ? 'multipart if it has files' : 'multipart';
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
