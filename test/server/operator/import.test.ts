import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLines } from '../../../server/features/import/ndjson-reader.ts';
import { sampleCount, seed } from '../../support/sampling.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface LineError {
  line: number;
  message: string;
  fields: string;
}

async function importing() {
  const service = await startService();
  const { company, parley } = service;
  const run = async (lines: readonly (object | string)[], companyId = company.id) => {
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    const { out, err } = await parley.reading(text, 'import - --json --company', companyId);
    const told: LineError[] = err.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
    return { ...JSON.parse(out), told };
  };
  return { ...service, run };
}

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const contact = (key: string, more: object = {}) => ({ kind: 'contact', key, first_name: 'Ada', ...more });
const conversation = (key: string, more: object) => ({ kind: 'conversation', key, service: 'mail', ...more });
const message = (key: string, more: object) => ({
  ...{ kind: 'message', key, type: 'text', payload: 'Hello' },
  ...more,
});

test('stores contacts, conversations and messages with the timestamps and states of their lines', async () => {
  const { api, company, run } = await importing();
  const field = await company.field();
  const timestamps = { created_at: '2024-05-17T10:00:00+02:00', updated_at: '2024-06-01T00:00:00Z' };
  const aContact = {
    ...{ last_name: 'Lindqvist', email_address: 'a@example.com', telephone_number: '+46701234567' },
    ...{ avatar: 'https://x.example/a.png', status: 'online', from_whatsapp: true, from_email: true },
    ...{ from_integration: true, integration: 'crm', fields: [{ id: field.id, value: 'A' }] },
  };
  const aConversation = {
    ...{ user_id: 17, team_id: 3, webchat_socket_channel: 'x', new: false, is_closed: true },
    ...{ chatbot_enabled: true, no_matches_count: 2, out_of_office_replied: true },
  };
  const archived = '2024-05-20T00:00:00';
  const tally = await run([
    contact('c', { ...aContact, ...timestamps }),
    conversation('t', { contact: 'c', ...aConversation, archived: `${archived}Z`, ...timestamps }),
    message('m', { conversation: 't', user_id: 17, read: true, ...timestamps }),
  ]);
  expect(tally).toMatchObject({
    lines: 3,
    made: { contact: 1, conversation: 1, message: 1 },
    bad: 0,
    told: [],
  });
  const shown = { created_at: '2024-05-17T08:00:00.000Z', updated_at: '2024-06-01T00:00:00.000Z' };
  expect((await api.getContact(1)).body).toMatchObject({ ...aContact, ...shown });
  expect((await api.getConversation(1)).body).toMatchObject({
    ...{ caller_id: 1, ...aConversation, archived: `${archived}.000Z`, ...shown },
    messages: [{ user_id: 17, read: true, new: false, payload: 'Hello', ...shown }],
  });
  expect((await api.searchContacts('lindq')).body).toHaveLength(1);
});

test('uses the defaults of new objects for omitted properties', async () => {
  const { api, run } = await importing();
  await run([contact('c'), conversation('t', { contact: 'c' }), message('m', { conversation: 't' })]);
  expect((await api.getContact(1)).body).toMatchObject({ status: 'offline', from_email: false, fields: [] });
  expect((await api.getConversation(1)).body).toMatchObject({
    new: true,
    is_closed: false,
    archived: null,
    no_matches_count: 0,
    user_id: null,
    messages: [{ user_id: null, new: true, read: false }],
  });
});

test('importing the same file again creates no duplicates, even after an interruption', async () => {
  const { api, run } = await importing();
  const lines = [
    contact('c1'),
    contact('c2'),
    conversation('t1', { contact: 'c2' }),
    ...Array.from({ length: 2_500 }, (_, n) => message(`m${n}`, { conversation: 't1' })),
  ];
  expect((await run(lines.slice(0, 1_700))).made).toEqual({ contact: 2, conversation: 1, message: 1_697 });
  const again = await run(lines);
  expect([again.made, again.already_there, again.bad]).toEqual([
    { contact: 0, conversation: 0, message: 803 },
    1_700,
    0,
  ]);
  expect((await run([...lines, ...lines])).made).toEqual({ contact: 0, conversation: 0, message: 0 });
  expect((await api.listContacts()).body).toHaveLength(2);
  expect((await api.getConversation(1, '?messages_before=1501')).body.messages).toHaveLength(1_000);
});

test('reports each invalid line with its number and reason, and stores the valid lines', async () => {
  const { company, run } = await importing();
  const unique = await company.field({ isUnique: true });
  await company.contact({ fields: [{ id: unique.id, value: 'taken' }] });
  const value = (text: string) => ({ fields: [{ id: unique.id, value: text }] });
  const lines: [object | string, string | null][] = [
    [contact('c1', value('mine')), null],
    ['{"kind": "contact"', 'is not valid JSON.'],
    ['', null],
    ['[]', '/kind must be'],
    [{ kind: 'webhook', key: 'x' }, '/kind must be'],
    [{ kind: 'contact' }, '/key is required.'],
    [contact(''), '/key must have at least 1 character.'],
    [contact('c2', { email_address: 'nobody' }), '/email_address must be an e-mail address.'],
    [contact('c3', { unknown: 'x' }), '/unknown is not allowed.'],
    [contact('c', { 'a/b~c': 1 }), '/a~1b~0c is not allowed.'],
    [
      contact('c5', { fields: [{ id: 99, value: 'x' }] }),
      '/fields/0/id is not a custom field of this company.',
    ],
    [contact('c6', value('taken')), '/fields/0/value is unique, and another contact has it.'],
    [contact('c7', value('mine')), '/fields/0/value is unique, and another contact has it.'],
    [contact('c8', { first_name: 'NUL \u0000' }), '/first_name contains NUL'],
    [contact('c9', { created_at: '2024-02-30T00:00:00Z' }), '/created_at must be a timestamp, such as'],
    [
      conversation('t1', { contact: 'c2' }),
      '/contact is not a contact of this company or of an earlier line.',
    ],
    [conversation('t2', {}), 'Name the contact by /contact'],
    [conversation('t3', { contact: 'c1', caller_id: 1 }), 'Name the contact by /contact'],
    [conversation('t4', { caller_id: 999 }), '/caller_id is not a contact of this company'],
    [conversation('t5', { contact: 'later' }), '/contact is not a contact of this company'],
    [contact('later'), null],
    [conversation('t6', { caller_id: 1 }), null],
    [message('m1', { conversation: 't6' }), null],
    [message('m2', { conversation: 't1' }), '/conversation is not a conversation of this company'],
    [message('m5', { conversation: 't6', read: true, new: true }), '/new must be the opposite of /read.'],
    [message('m6', { conversation: 't6', new: false }), '/new must be the opposite of /read.'],
    [
      conversation('t7', { contact: 'c1', service: 'pigeon' }),
      '/service must be one of: telegram, facebook,',
    ],
  ];
  const { told, made, bad } = await run(lines.map(([line]) => line));
  const expected = lines.flatMap(([, why], index) => (why === null ? [] : [{ line: index + 1, why }]));
  expect(told.map(({ line }: LineError) => line)).toEqual(expected.map(({ line }) => line));
  for (const [location, { why }] of expected.entries()) expect(told[location]?.message).toContain(why);
  expect([made, bad]).toEqual([{ contact: 2, conversation: 1, message: 1 }, expected.length]);
});

test('an import publishes no events', async () => {
  const { company, run } = await importing();
  const webhooks = await Promise.all(
    [1, 2, 5].map((entity_id) => company.webhook({ entity_id, action_id: 1 })),
  );
  await run([contact('c'), conversation('t', { contact: 'c' }), message('m', { conversation: 't' })]);
  for (const webhook of webhooks) expect(await company.events(webhook)).toEqual([]);
});

test('import keys and IDs refer only to objects of the same company', async () => {
  const { addCompany, run, company } = await importing();
  const other = await addCompany();
  const theirContact = await other.contact();
  await run([contact('c'), conversation('t', { contact: 'c' })]);
  const { told, made } = await run(
    [
      contact('c'),
      conversation('t', { contact: 'c' }),
      message('m', { conversation: 't' }),
      message('x', { conversation_id: 1 }),
    ],
    other.id,
  );
  expect(made).toEqual({ contact: 1, conversation: 1, message: 1 });
  expect(told).toMatchObject([{ line: 4, fields: '/conversation_id' }]);
  const foreign = await run([conversation('f', { caller_id: theirContact })], company.id);
  expect(foreign.told).toMatchObject([{ line: 1, fields: '/caller_id' }]);
});

test('splits lines correctly, regardless of how the bytes are chunked', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'é', '\u{1F600}', ' ', '\r'), maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      async (lines, size) => {
        const found: unknown[] = [];
        for await (const part of readLines(chunksOf(Buffer.from(lines.join('\n')), size)))
          found.push(...part);
        expect(found).toEqual(
          lines.flatMap((text, index) => (text.trim() ? [{ number: index + 1, text: text.trim() }] : [])),
        );
      },
    ),
    { numRuns: sampleCount(300), seed },
  );
});

test('reports a line that is too long or not UTF-8, and continues with the next line', async () => {
  const bytes = Buffer.concat([Buffer.alloc(1_048_577, 'x'), Buffer.from('\n\xff\n{}', 'latin1')]);
  const found: { number: number; wrong?: string | undefined }[] = [];
  for await (const part of readLines(chunksOf(bytes, 65_536))) found.push(...part);
  expect(found).toEqual([
    { number: 1, wrong: 'is longer than 1048576 bytes' },
    { number: 2, wrong: 'is not UTF-8' },
    { number: 3, text: '{}' },
  ]);
});

test('reads a file or standard input, prints a summary, and exits with 1 if a line was invalid', async () => {
  const { company, parley } = await importing();
  const file = join(await temporaryFolder(), 'a b.ndjson');
  await writeFile(file, `${JSON.stringify(contact('c1'))}\n`);
  const first = await parley('import --company', company.id, file);
  expect([first.code, first.err]).toEqual([0, '']);
  expect(first.out).toMatch(/^1 line in \d+\.\d s:\n {2}1 contact made\n {2}0 conversations made/);

  const text = `${JSON.stringify(contact('c1'))}\n{}\n${JSON.stringify(contact('c2'))}`;
  const command = `import - --company ${company.id}`;
  const piped = await parley.reading(text, command, '--json');
  expect(piped.code).toBe(1);
  expect(JSON.parse(piped.err)).toMatchObject({ line: 2, fields: '/kind' });
  expect(JSON.parse(piped.out)).toMatchObject({
    lines: 3,
    made: { contact: 1, conversation: 0, message: 0 },
    already_there: 1,
    bad: 1,
  });
  const again = await parley.reading(text, command);
  expect(again.err).toBe('line 2: /kind must be one of: contact, conversation, message.\n');
});

test('reports a missing file or company with exit code 1', async () => {
  const { company, parley } = await importing();
  const command = 'import /nowhere/x.ndjson --company';
  expect(await parley(command, company.id)).toFail(1, '✘ The file /nowhere/x.ndjson does not exist.\n');
  expect(await parley(command, 99)).toFail(1, 'no company 99');
});

test('a conversation is not new once a message from a user is imported', async () => {
  const { api, run } = await importing();
  await run([
    contact('c'),
    conversation('t1', { contact: 'c' }),
    conversation('t2', { contact: 'c', is_closed: true }),
    message('m1', { conversation: 't1', user_id: 17 }),
    message('m2', { conversation: 't2' }),
  ]);
  const states = async () =>
    (await api.listConversations()).body.map((each: { new: boolean; is_closed: boolean }) => [
      each.new,
      each.is_closed,
    ]);
  expect(await states()).toEqual([
    [false, false],
    [true, true],
  ]);
  await run([message('m3', { conversation: 't2', user_id: 17 })]);
  expect((await states())[1]).toEqual([false, true]);
});

test('rejects what refers to the import key of a deleted contact or conversation', async () => {
  const { company, run } = await importing();
  await run([contact('c'), conversation('t', { contact: 'c' })]);
  await company.run('conversation update --conversation 1 --state deleted');
  await company.run('contact delete --contact 1');
  const { told } = await run([message('m', { conversation: 't' }), conversation('u', { contact: 'c' })]);
  expect(told).toMatchObject([
    { line: 1, fields: '/conversation' },
    { line: 2, fields: '/contact' },
  ]);
});

test('concurrent imports of the same file store each contact once', async () => {
  const { api, company, parley } = await importing();
  const lines = Array.from({ length: 3_000 }, (_, n) => JSON.stringify(contact(`c${n}`))).join('\n');
  const command = `import - --json --company ${company.id}`;
  const both = await Promise.all([1, 2].map(() => parley.reading(lines, command)));
  const made = both.map(({ out }) => JSON.parse(out).made.contact);
  expect([both.map(({ code }) => code), made[0] + made[1]]).toEqual([[0, 0], 3_000]);
  expect((await api.listContacts('', { prefer: 'count=exact' })).headers.get('x-total-count')).toBe('3000');
});

test('separates import keys by kind, unique values by field, and skips a repeated key', async () => {
  const { api, company, run } = await importing();
  const fields = [await company.field({ isUnique: true }), await company.field({ isUnique: true })];
  const [one, two] = fields.map(({ id }) => ({ fields: [{ id, value: 'x' }] }));
  const first = await run([
    contact('1', one),
    contact('2', two),
    contact('1', { first_name: 'again' }),
    conversation('1', { contact: '1' }),
    message('1', { conversation: '1' }),
  ]);
  const made = { contact: 2, conversation: 1, message: 1 };
  expect(first).toMatchObject({ made, already_there: 1, told: [] });
  expect((await api.getContact(1)).body).toMatchObject({ first_name: 'Ada' });
  await run([conversation('2', { contact: '2' })]);
  expect((await api.getConversation(2)).body.caller_id).toBe(2);
});
