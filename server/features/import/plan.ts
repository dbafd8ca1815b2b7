import { validationError } from '../../errors.ts';
import type { AcceptedValue, acceptValues } from '../fields/values.ts';
import type { ExistingRecords } from './existing-records.ts';
import type { ImportError, ImportRecord, RecordType } from './record.ts';

type Of<Kind> = Extract<ImportRecord, { kind: Kind }>;

/**
 * The contact of a conversation, or the conversation of a message: a stored record, or a record that an earlier line of
 * the batch creates.
 */
export type Owner = { id: number } | { planned: PlannedRecord };

/** A line that will be stored. */
export type PlannedRecord = { number: number; id?: number } & (
  | { kind: 'contact'; entry: Of<'contact'>; values: AcceptedValue[] }
  | { kind: 'conversation'; entry: Of<'conversation'>; owner: Owner }
  | { kind: 'message'; entry: Of<'message'>; owner: Owner }
);

export interface NumberedRecord {
  number: number;
  entry: ImportRecord;
}

/** A line with the result of checking its custom-field values. */
export interface CheckedLine extends NumberedRecord {
  values: ReturnType<typeof acceptValues>;
}

/** The result of planning a batch. */
export interface ImportPlan {
  planned: PlannedRecord[];
  /** The number of lines whose keys were imported before, or are repeated in the batch. */
  alreadyThere: number;
  bad: (ImportError & { number: number })[];
}

/**
 * Decides which lines of a batch are stored, in the order of the file. A line may refer to earlier lines. Lines with a
 * known or repeated key are skipped.
 * @param isTaken whether the database already has a unique value
 */
export function planImport(
  lines: readonly CheckedLine[],
  known: ExistingRecords,
  isTaken: (value: AcceptedValue) => boolean,
): ImportPlan {
  const plan: ImportPlan = { planned: [], alreadyThere: 0, bad: [] };
  const here = new Map<string, PlannedRecord>();
  const claimed = new Set<string>();

  function ownerOf(kind: RecordType, key: string | undefined, id: number | undefined): Owner | undefined {
    const planned = key === undefined ? undefined : here.get(nameOf(kind, key));
    if (planned) return { planned };
    const found = key === undefined ? id : known.idOf(kind, key);
    const table = kind === 'contact' ? 'contacts' : 'conversations';
    return found !== undefined && known.isLive(table, found) ? { id: found } : undefined;
  }

  function planned({ number, entry, values }: CheckedLine): PlannedRecord | ImportError {
    if (entry.kind === 'contact') return plannedContact(number, entry, values);
    const [kind, name, key, id] =
      entry.kind === 'conversation'
        ? (['contact', 'caller_id', entry.contact, entry.caller_id] as const)
        : (['conversation', 'conversation_id', entry.conversation, entry.conversation_id] as const);
    if (entry.kind === 'message' && entry.new !== undefined && entry.new === (entry.read ?? false))
      return { message: '/new must be the opposite of /read.', fields: '/new' };
    if ((key === undefined) === (id === undefined))
      return { message: `Name the ${kind} by /${kind} (its key) or /${name} (its ID).`, fields: `/${kind}` };
    const owner = ownerOf(kind, key, id);
    if (owner)
      return entry.kind === 'conversation'
        ? { kind: entry.kind, number, entry, owner }
        : { kind: entry.kind, number, entry, owner };
    const location = key === undefined ? `/${name}` : `/${kind}`;
    return {
      message: `${location} is not a ${kind} of this company or of an earlier line.`,
      fields: location,
    };
  }

  function plannedContact(
    number: number,
    entry: Of<'contact'>,
    { accepted: values, problems: found }: CheckedLine['values'],
  ): PlannedRecord | ImportError {
    const problems = [...found];
    const duplicate = values.find((value) => isTaken(value) || claimed.has(claimOf(value)));
    if (duplicate)
      problems.push({
        field: `/fields/${duplicate.index}/value`,
        message: 'is unique, and another contact has it',
      });
    if (problems.length > 0) {
      const { message, fields } = validationError(problems);
      return { message, fields };
    }
    for (const value of values) if (value.uniqueDigest) claimed.add(claimOf(value));
    return { kind: 'contact', number, entry, values };
  }

  for (const line of lines) {
    const { kind, key } = line.entry;
    const name = nameOf(kind, key);
    if (known.idOf(kind, key) !== undefined || here.has(name)) plan.alreadyThere += 1;
    else {
      const result = planned(line);
      if ('message' in result) plan.bad.push({ number: line.number, ...result });
      else {
        here.set(name, result);
        plan.planned.push(result);
      }
    }
  }
  return plan;
}

const nameOf = (kind: RecordType, key: string): string => `${kind} ${key}`;

/** Returns a key that identifies a unique value; an empty string for values that need not be unique. */
export const claimOf = ({
  fieldId,
  uniqueDigest,
}: Pick<AcceptedValue, 'fieldId' | 'uniqueDigest'>): string =>
  uniqueDigest ? `${fieldId} ${Buffer.from(uniqueDigest).toString('base64')}` : '';
