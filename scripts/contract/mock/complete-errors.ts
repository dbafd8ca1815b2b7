import type { ErrorFormat } from '../../../server/contract/errors.ts';
import { documentedType, isJson } from '../../../server/contract/media-type.ts';
import { documentedStatus } from '../../../server/contract/validate-response.ts';
import type { MockContract } from './mock-contract.ts';

/**
 * Extends an error format with what only a service can know: the headers that the documented response requires, and
 * bodies whose schemas the error's text does not fit. The documented examples stand for them.
 */
export function completeErrors(errors: ErrorFormat, { operationOf, bodies }: MockContract): ErrorFormat {
  return {
    ...errors,
    respond(kind, details, operation) {
      const response = errors.respond(kind, details, operation);
      const key = operation && documentedStatus(operation.responses, response.status);
      if (!operation || key === undefined) return response;
      const { headers, content } = operationOf(operation.id).examples[key] ?? { headers: {}, content: [] };
      const present = Object.keys(response.headers).map((name) => name.toLowerCase());
      const missing = operation.responses[key]?.headers
        .filter(({ name, required }) => required && !present.includes(name))
        .map(({ name }) => name);
      const added = Object.entries(headers)
        .filter(([name]) => missing?.includes(name.toLowerCase()))
        .map(([name, value]) => [name, String(value)]);
      const completed = { ...response, headers: { ...Object.fromEntries(added), ...response.headers } };
      const given = response.content;
      if (given === undefined || !isJson(given.mediaType)) return completed;
      const type = documentedType(Object.keys(operation.responses[key]?.content ?? {}), given.mediaType);
      const example = bodies[content.find(({ mediaType }) => mediaType === type)?.usual ?? -1];
      if (type === undefined || !example || 'missing' in example) return completed;
      const isValid = operation.validateBody(key, type, given.body).length === 0;
      return isValid ? completed : { ...completed, content: { ...given, body: example.body } };
    },
  };
}
