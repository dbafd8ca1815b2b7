/** The size of a data set. */
export interface DatasetSizes {
  contacts: number;
  conversations: number;
  messages: number;
  /** Custom-field values of each contact with a name. */
  values: number;
}

/** Returns the sizes for a number of contacts: one conversation per five contacts, and five messages per contact. */
export const sizesFor = (contacts: number, values: number): DatasetSizes => ({
  contacts,
  values,
  conversations: contacts / 5,
  messages: contacts * 5,
});

const firstNames =
  'Ada Tomás Mirjam Jürgen Sofía Łukasz Nguyễn Åsa Ömer Chloé Иван Ελένη Aiko 王芳 Fatima Noor Kwame Ines Piotr Maeve';
const lastBeginnings =
  'Lind Berg Kowal Garc Schmid Ahl Novak Petro Yama Okaf Dimi Rossi Mül Fern Nor Wal Has Tan Kim Dub';
const lastEndings = 'qvist ström ski ía t gren ová v moto or triou ni ler andez din ter san aka ura ois';
const cities = 'Malmö Kraków Sevilla Graz Oslo Lyon Gent Turku Porto Bari';
const words =
  'where is my order thanks we send it today please the lamp is broken again can you call me tomorrow invoice address';

const listOf = (text: string): string[] => text.split(' ');
const [first, beginnings, endings, towns, said] = [
  firstNames,
  lastBeginnings,
  lastEndings,
  cities,
  words,
].map(listOf) as [string[], string[], string[], string[], string[]];

/** Returns a pseudorandom number below 2^32 for an index (the finalizer of MurmurHash3). */
export function scatter(index: number): number {
  let mixed = index ^ 0x9e3779b9;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const one = (from: readonly string[], index: number): string => from[scatter(index) % from.length] ?? '';

/** One of twenty first names. */
export const firstNameOf = (number: number): string => one(first, number);

const lastNameOf = (number: number): string => one(beginnings, number + 3) + one(endings, number + 7);

/** A unique e-mail address. */
export const emailOf = (number: number): string => `contact.${number}@example.com`;

// Creation times over two years, ascending.
const begin = Date.UTC(2024, 0, 1);
const lengthMs = 2 * 365 * 86_400_000;
const timestamp = (number: number, of: number): string =>
  new Date(begin + Math.floor((number / of) * lengthMs)).toISOString();

/** Returns the import line of a contact. Every tenth contact is anonymous. */
function contactLine(number: number, { contacts, values }: DatasetSizes): string {
  const created_at = timestamp(number, contacts);
  if (number % 10 === 9) return JSON.stringify({ kind: 'contact', key: `c${number}`, created_at });
  return JSON.stringify({
    kind: 'contact',
    key: `c${number}`,
    first_name: firstNameOf(number),
    last_name: lastNameOf(number),
    email_address: emailOf(number),
    telephone_number: `+46${700_000_000 + number}`,
    created_at,
    fields: Array.from({ length: values }, (_, at) => ({
      id: at + 1,
      value: at === 0 ? `A-${number}` : one(towns, number + at),
    })),
  });
}

const services = ['telegram', 'facebook', 'mail', 'webchat', 'twitter', 'whatsapp'];

const conversationLine = (number: number, { contacts, conversations }: DatasetSizes): string =>
  JSON.stringify({
    kind: 'conversation',
    key: `t${number}`,
    contact: `c${1 + (scatter(number) % contacts)}`,
    service: services[number % services.length],
    is_closed: number % 3 === 0,
    created_at: timestamp(number, conversations),
  });

/** Every 500th message belongs to the first conversation, which therefore becomes the longest. */
const longConversationInterval = 500;

/** Returns the import line of a message. Except for every 500th, messages are spread over all conversations. */
function messageLine(number: number, { conversations, messages }: DatasetSizes): string {
  const conversation = number % longConversationInterval === 0 ? 1 : 1 + (scatter(number) % conversations);
  const length = 3 + (scatter(number + 1) % 30);
  return JSON.stringify({
    kind: 'message',
    key: `m${number}`,
    conversation: `t${conversation}`,
    type: 'text',
    payload: Array.from({ length }, (_, at) => one(said, number + at)).join(' '),
    ...(number % 2 ? { user_id: 17 } : {}),
    read: true,
    created_at: timestamp(number, messages),
  });
}

// Lines per chunk.
const together = 1_000;

/**
 * Yields the data set for the importer, in chunks of lines. Each kind of entity is numbered from 1, so that queries
 * can use the numbers as IDs.
 */
export function* datasetChunks(sizes: DatasetSizes): Generator<string> {
  const kinds = [
    [sizes.contacts, contactLine],
    [sizes.conversations, conversationLine],
    [sizes.messages, messageLine],
  ] as const;
  for (const [count, line] of kinds)
    for (let from = 1; from <= count; from += together) {
      let text = '';
      for (let number = from; number < Math.min(from + together, count + 1); number += 1)
        text += `${line(number, sizes)}\n`;
      yield text;
    }
}
