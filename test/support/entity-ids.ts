import { enumNames } from '../../generated/enums.ts';
import type { EntityId } from '../../server/own-contract/webhook-selectors.ts';

/** The numbers of the entities that webhooks select. */
export const entityIds = Object.keys(enumNames.WebhookEntityId).map((id) => Number(id) as EntityId);
