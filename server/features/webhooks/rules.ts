import { httpMethodOf } from '../../contract/constants.ts';
import { eventTypeOf } from '../../contract/events.ts';
import type { Schemas } from '../../contract/handler.ts';
import type { EgressPolicy } from '../../egress/policy.ts';
import { checkUrl } from '../../egress/url-check.ts';
import { type CatalogError, errorResponse } from '../../errors.ts';
import type { FieldError } from '../../lib/field-error.ts';
import { ApiError } from '../../pipeline/errors.ts';

type Webhook = Schemas['Webhook'];

/** A pair that no event has, and an address that has our parameter already (D41, D43). */
export function selectorViolations({ entity_id, action_id, verb_id, url }: Webhook): FieldError[] {
  const bodiless = ['GET', 'DELETE'].includes(httpMethodOf(verb_id));
  return [
    ...(eventTypeOf(entity_id, action_id)
      ? []
      : [{ field: '/action_id', message: `is none that entity ${entity_id} has` }]),
    ...(bodiless && URL.parse(url)?.searchParams.has('payload')
      ? [{ field: '/url', message: 'has a parameter "payload", which GET and DELETE need for the event' }]
      : []),
  ];
}

/**
 * The rules of a webhook that need nothing but the request.
 * @throws Refused where its address may not be called, however its name resolves
 */
export const checkWebhook =
  (policy: EgressPolicy) =>
  ({ body }: { body: unknown }): FieldError[] => {
    // The check of the request has made it what the contract says.
    const webhook = body as Webhook;
    const problems = selectorViolations(webhook);
    if (problems.length > 0) return problems;
    const wrong = checkUrl(webhook.url, policy);
    if (wrong !== undefined) throw new ApiError(addressNotAllowed(wrong));
    return [];
  };

export const addressNotAllowed = (wrong: string): CatalogError<'addressNotAllowed'> =>
  errorResponse('addressNotAllowed', { message: `/url ${wrong}.`, fields: '/url' });

const readScopes: Record<Webhook['entity_id'], string> = {
  1: 'conversations:read',
  2: 'contacts:read',
  3: 'fields:read',
  5: 'messages:read',
};

/** A token may only create or change a webhook whose events it may read (D32). */
export function missingReadScope(
  { entity_id }: Pick<Webhook, 'entity_id'>,
  scopes: ReadonlySet<string>,
): CatalogError<'scopeMissing'> | undefined {
  const scope = readScopes[entity_id];
  if (scopes.has(scope)) return undefined;
  return errorResponse('scopeMissing', {
    message: `A webhook for this entity needs the scope ${scope}, which the token does not have.`,
    fields: '/entity_id',
  });
}
