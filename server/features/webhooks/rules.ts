import { verbOf } from '../../contract/constants.ts';
import { eventTypeOf } from '../../contract/events.ts';
import type { Schemas } from '../../contract/handler.ts';
import type { AddressPolicy } from '../../egress/policy.ts';
import { misspelling } from '../../egress/url-check.ts';
import { type Problem, type Refusal, Refused, refusal } from '../../errors.ts';

type Webhook = Schemas['Webhook'];

/** A pair that no event has, and an address that has our parameter already (D41, D43). */
export function brokenRules({ entity_id, action_id, verb_id, url }: Webhook): Problem[] {
  const bodiless = ['GET', 'DELETE'].includes(verbOf(verb_id));
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
  (policy: AddressPolicy) =>
  ({ body }: { body: unknown }): Problem[] => {
    // The check of the request has made it what the contract says.
    const webhook = body as Webhook;
    const problems = brokenRules(webhook);
    if (problems.length > 0) return problems;
    const wrong = misspelling(webhook.url, policy);
    if (wrong !== undefined) throw new Refused(addressNotAllowed(wrong));
    return [];
  };

export const addressNotAllowed = (wrong: string): Refusal<'addressNotAllowed'> =>
  refusal('addressNotAllowed', { message: `/url ${wrong}.`, fields: '/url' });

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
): Refusal<'scopeMissing'> | undefined {
  const scope = readScopes[entity_id];
  if (scopes.has(scope)) return undefined;
  return refusal('scopeMissing', {
    message: `A webhook for this entity needs the scope ${scope}, which the token does not have.`,
    fields: '/entity_id',
  });
}
