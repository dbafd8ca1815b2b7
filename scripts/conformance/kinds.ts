import type { World } from '../instances/world.ts';
import { idsIn, kindOf } from '../requests/ids.ts';
import type { KindOf } from './pool.ts';

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
