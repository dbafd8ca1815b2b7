import { basename } from 'node:path';
import { listOf } from '../../../../server/lib/json-object.ts';
import type { LintRule, Location } from '../rule.ts';

/** The schema whose `x-enum-varnames` list the entities that a webhook can select. */
const entitySchema = 'WebhookEntityId';

/** A webhook can select every event: the entity in each event's name is listed in the schema of entities. */
export const eventsSelectable: LintRule = () => {
  const entities = new Set<string>();
  const events = new Map<string, Location>();
  return {
    Schema(schema, { location: { pointer, source } }) {
      if (![basename(source.absoluteRef, '.yaml'), pointer.split('/').at(-1)].includes(entitySchema)) return;
      for (const name of listOf(schema['x-enum-varnames'])) entities.add(String(name));
    },
    WebhooksMap: {
      PathItem(_item, { location, key }) {
        events.set(String(key), location.key());
      },
    },
    Root: {
      leave(_root, { report }) {
        for (const [event, location] of events) {
          const [entity = ''] = event.split('.');
          if (entities.size > 0 && !entities.has(entity))
            report({
              message: `No webhook can subscribe to ${event}: add a number to the enum of ${entitySchema}, and ${entity} to its x-enum-varnames.`,
              location,
            });
        }
      },
    },
  };
};
