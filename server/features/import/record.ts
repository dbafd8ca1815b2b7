import { validationError } from '../../errors.ts';
import { InputLimitError } from '../../lib/input-limit.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { wordingOf } from '../../lib/wording.ts';
import { contractProperties } from '../../own-contract/constants.ts';
import type { Schemas } from '../../own-contract/handler.ts';
import { schemaOfProperty, validatorOf } from '../../own-contract/validate.ts';

interface Keyed {
  /** Identifies the record among the company's imports, so that a repeated import skips it. */
  key: string;
}

type Without<T, Names extends keyof T> = Partial<Omit<T, Names>>;

/** A valid line of an import. A conversation names its contact, and a message its conversation, by key or by ID. */
export type ImportRecord =
  | ({ kind: 'contact'; fields?: Schemas['ContactFieldValue'][] } & Keyed &
      Without<Schemas['Contact'], 'id' | 'company_id' | 'fields'>)
  | ({ kind: 'conversation'; contact?: string; service: Schemas['ConversationService'] } & Keyed &
      Without<Schemas['Conversation'], 'id' | 'company_id' | 'messages' | 'deleted_at' | 'service'>)
  | ({
      kind: 'message';
      conversation?: string;
      type: Schemas['MessageType'];
      payload: string;
    } & Keyed &
      Without<Schemas['Message'], 'id' | 'deleted_at' | 'type' | 'payload'>);

export type RecordType = ImportRecord['kind'];

/** A line of one kind. */
export type RecordOf<Kind extends RecordType> = Extract<ImportRecord, { kind: Kind }>;

const key = { type: 'string', minLength: 1, maxLength: 255 };

/** Properties that lines do not have: those of the stored row, and lists that lines show in another form. */
const omittedProperties = ['id', 'company_id', 'deleted_at', 'fields', 'messages'];

/** Returns a function that validates a line: its kind, its key, and the properties that the API shows. */
function validatorFor(
  kind: RecordType,
  shown: 'Contact' | 'Conversation' | 'Message',
  required: readonly string[],
  more: object,
) {
  const names = contractProperties(shown).filter((name) => !omittedProperties.includes(name));
  const properties = Object.fromEntries(names.map((name) => [name, schemaOfProperty(shown, name)]));
  return validatorOf({
    type: 'object',
    unevaluatedProperties: false,
    required: ['kind', 'key', ...required],
    properties: { kind: { const: kind }, key, ...properties, ...more },
  });
}

const fields = schemaOfProperty('ContactCreate', 'fields');
const validators = {
  contact: validatorFor('contact', 'Contact', [], { fields }),
  conversation: validatorFor('conversation', 'Conversation', ['service'], { contact: key }),
  message: validatorFor('message', 'Message', ['type', 'payload'], { conversation: key }),
};

const isKind = (kind: unknown): kind is RecordType =>
  typeof kind === 'string' && Object.hasOwn(validators, kind);

/** The error of a line: the message, and the invalid locations in the line (D26). */
export interface ImportError {
  message: string;
  fields: string;
}

/** Parses a line and validates it against the contract. */
export function parseRecord(
  text: string,
): { entry: ImportRecord; wrong?: undefined } | { wrong: ImportError } {
  let given: unknown;
  try {
    given = parseJson(text);
  } catch (error) {
    const message = error instanceof InputLimitError ? error.message : 'is not valid JSON.';
    return { wrong: { message, fields: '' } };
  }
  const kind = typeof given === 'object' && given !== null && 'kind' in given ? given.kind : undefined;
  if (!isKind(kind))
    return {
      wrong: {
        message: `/kind ${wordingOf('enum', { allowedValues: Object.keys(validators) })}.`,
        fields: '/kind',
      },
    };
  const problems = validators[kind](given);
  if (problems.length > 0) {
    const { message, fields } = validationError(problems);
    return { wrong: { message, fields } };
  }
  // The validator has checked the type of the line.
  return { entry: given as ImportRecord };
}
