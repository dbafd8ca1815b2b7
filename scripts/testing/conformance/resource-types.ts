import { idsIn, kindOf } from '../requests/resource-ids.ts';
import type { World } from '../schema-values/schema-context.ts';
import type { KindOf } from './resource-pool.ts';

/** How the schemas of a document call what is named in paths and in answers. */
export function kindsIn(world: World): KindOf {
  return {
    parameter: ({ parameters }, name) => {
      const found = parameters.find((each) => each.in === 'path' && each.name === name);
      return found && kindOf(world, found.schema);
    },
    inBody: ({ responses }, { status }, body) =>
      (responses[String(status)]?.types ?? []).flatMap(({ schema }) => idsIn(world, schema, body)),
  };
}
