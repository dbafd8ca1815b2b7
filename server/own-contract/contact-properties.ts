import document from '../../generated/openapi.json' with { type: 'json' };
import type { Schemas } from './handler.ts';

/** The properties of a contact that create and update requests write. */
export type ContactProperties = Required<Schemas['ContactCreate']>;

const properties: Record<string, object> = document.components.schemas.ContactCreate.properties;

/** The names of `ContactProperties`. */
export const contactProperties = Object.keys(properties) as (keyof ContactProperties)[];

/** The values of properties that a create request omits: the documented default, or null. */
export const contactDefaults = Object.fromEntries(
  Object.entries(properties).map(([name, schema]) => [name, 'default' in schema ? schema.default : null]),
) as ContactProperties;
