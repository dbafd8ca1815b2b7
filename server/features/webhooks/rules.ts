import { enumNames } from '../../../generated/enums.ts';
import { ApiError } from '../../contract/errors.ts';
import { type ApiErrorResponse, errorResponse } from '../../errors.ts';
import type { FieldError } from '../../lib/field-error.ts';
import type { Schemas } from '../../own-contract/handler.ts';
import { type EntityId, eventTypeOf, httpMethodOf } from '../../own-contract/webhook-selectors.ts';
import type { EgressPolicy } from '../../security/egress/policy.ts';
import { checkUrl } from '../../security/egress/url-check.ts';

type Webhook = Schemas['Webhook'];

/**
 * Rejects an entity and action that have no event type (D41). For GET and DELETE, also rejects a URL that already has
 * the query parameter that carries the event (D43).
 */
export function selectorViolations({ entity_id, action_id, verb_id, url }: Webhook): FieldError[] {
  const bodiless = ['GET', 'DELETE'].includes(httpMethodOf(verb_id));
  return [
    ...(eventTypeOf(entity_id, action_id)
      ? []
      : [{ field: '/action_id', message: `is not an action of entity ${entity_id}` }]),
    ...(bodiless && URL.canParse(url) && new URL(url).searchParams.has('payload')
      ? [{ field: '/url', message: 'has a parameter "payload", which GET and DELETE need for the event' }]
      : []),
  ];
}

/**
 * Creates a check of the webhook in a request body. The check needs no stored data and does not resolve the URL's host.
 * @returns the check, which throws ApiError if the egress policy denies the URL
 */
export const checkWebhook =
  (policy: EgressPolicy) =>
  ({ body }: { body: unknown }): FieldError[] => {
    // Contract validation has checked the type of the body.
    const webhook = body as Webhook;
    const problems = selectorViolations(webhook);
    if (problems.length > 0) return problems;
    const wrong = checkUrl(webhook.url, policy);
    if (wrong !== undefined) throw new ApiError(addressNotAllowed(wrong));
    return [];
  };

export const addressNotAllowed = (wrong: string): ApiErrorResponse<'addressNotAllowed'> =>
  errorResponse('addressNotAllowed', { message: `/url ${wrong}.`, fields: '/url' });

/** Returns the scope that a webhook needs for an entity (D32): `contacts:read` for the entity `contact`. */
export const readScopeOf = (entityId: EntityId): string => `${enumNames.WebhookEntityId[entityId]}s:read`;

/**
 * Returns an error response if a token may not read the webhook's events (D32).
 * @param fields the location in the request that selects the webhook or its entity
 */
export function missingReadScope(
  { entity_id }: Pick<Webhook, 'entity_id'>,
  scopes: ReadonlySet<string>,
  fields: '/entity_id' | 'path/id' = '/entity_id',
): ApiErrorResponse<'scopeMissing'> | undefined {
  const scope = readScopeOf(entity_id);
  if (scopes.has(scope)) return undefined;
  return errorResponse('scopeMissing', {
    message: `A webhook for this entity needs the scope ${scope}, which the token does not have.`,
    fields,
  });
}
