import type { CheckedInput, GivenAnswer } from '../../../server/pipeline/exchange.ts';
import type { Operation } from '../../testing/requests/operations.ts';
import { kindOf, propertiesOf } from '../../testing/requests/resource-ids.ts';
import { isObject, type Schema } from '../../testing/schema-values/schema.ts';
import type { World } from '../../testing/schema-values/schema-context.ts';

/** Whoever asks for a thing by its id gets one with this id. */
export function withAskedId(
  world: World,
  { parameters }: Operation,
  schema: Schema,
  { path }: CheckedInput,
  body: unknown,
): GivenAnswer['body'] {
  if (!isObject(body)) return body;
  const asked = parameters.flatMap((parameter) => {
    const kind = parameter.in === 'path' ? kindOf(world, parameter.schema) : undefined;
    return kind === undefined ? [] : [{ kind, id: path[parameter.name] }];
  });
  const named = Object.entries(propertiesOf(world, schema)).flatMap(([name, property]) => {
    const kind = kindOf(world, property);
    const found = kind === undefined ? undefined : asked.find((each) => each.kind === kind);
    return found && name in body ? [[name, found.id]] : [];
  });
  return { ...body, ...Object.fromEntries(named) };
}
