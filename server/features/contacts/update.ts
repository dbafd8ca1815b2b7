import { entityTag } from '../../contract/entity-tag.ts';
import type { Schemas } from '../../contract/handler.ts';
import { notBefore } from '../../contract/timestamp.ts';
import { invalid, type Problem, type Refusal, Refused, refusal } from '../../errors.ts';
import { changesBetween, publish } from '../../events/publish.ts';
import { keepDefinitions } from '../../storage/locks.ts';
import type { ContactWithValues } from '../../storage/queries/contact-values.ts';
import { deleteFieldValues, holdContact, updateContact } from '../../storage/queries/contacts.ts';
import { listFields } from '../../storage/queries/fields.ts';
import type { Database } from '../../storage/store.ts';
import { type AcceptedValue, acceptValues } from '../fields/values.ts';
import { givenColumns } from './columns.ts';
import { presentContact, shownContact } from './present.ts';
import { isMatched } from './rules.ts';
import { storeValues } from './values.ts';

export interface ContactChange {
  companyId: number;
  id: number;
  body: Schemas['ContactUpdate'];
  ifMatch?: string | undefined;
}

/**
 * Makes a contact what the body says (D14). Where that changes nothing, nothing happens (D56).
 * @param now milliseconds since 1970: the moment counts at which its turn comes
 * @returns a refusal where there is no such contact, or it is not the one that was read
 * @throws Refused where a value breaks a rule or is taken
 */
export async function changeContact(
  db: Database,
  { companyId, id, body, ifMatch }: ContactChange,
  now: () => number,
): Promise<Refusal<'noSuchResource'> | Refusal<'versionMismatch'> | undefined> {
  await keepDefinitions(db, companyId);
  const found = await holdContact(db, companyId, id);
  if (!found) return refusal('noSuchResource', { message: `There is no contact ${id}.`, fields: 'path/id' });
  const before = presentContact(found);
  if (!isMatched(ifMatch, entityTag(JSON.stringify(before))))
    return refusal('versionMismatch', {
      message: `Contact ${id} has changed since it was read. Read it again.`,
      fields: 'header/If-Match',
    });

  const { accepted, problems } = acceptValues(await listFields(db, companyId), body.fields);
  const foreign: Problem[] =
    (body.company_id ?? companyId) === companyId
      ? []
      : [{ field: '/company_id', message: 'is not the company of this token' }];
  if (problems.length + foreign.length > 0) throw new Refused(invalid([...foreign, ...problems]));

  if (!hasValues(found, accepted)) {
    await deleteFieldValues(db, companyId, id);
    await storeValues(db, companyId, id, accepted);
  }
  await updateContact(db, companyId, id, rowOf(body, accepted));
  const changed = changesBetween(before, await shownContact(db, companyId, id));
  if (changed.length === 0) return undefined;
  const changedAt = notBefore(found.contact, now());
  await updateContact(db, companyId, id, { updated_at: changedAt });
  await publish(db, {
    companyId,
    type: 'contact.updated',
    data: () => shownContact(db, companyId, id),
    changed,
    now: changedAt,
  });
  return undefined;
}

const hasValues = ({ values }: ContactWithValues, wanted: readonly AcceptedValue[]): boolean =>
  values.length === wanted.length &&
  wanted.every(({ fieldId, value }) =>
    values.some((held) => held.field.id === fieldId && held.value === value),
  );

function rowOf(body: Schemas['ContactUpdate'], values: readonly AcceptedValue[]) {
  // What may come along and changes nothing is left out here; another property does not compile there.
  const {
    avatar,
    status,
    id: _id,
    company_id: _company,
    created_at: _made,
    updated_at: _changed,
    ...given
  } = body;
  return { ...givenColumns(given, values), avatar, status };
}
