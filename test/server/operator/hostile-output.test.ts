import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { ownOf } from '../../../server/lib/own-property.ts';
import { createProgram } from '../../../server/operator/program.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startWebhook, until } from '../delivery/delivery-service.ts';
import { createFixtures } from '../own-contract/valid-requests.ts';

/** Text that, in a terminal, clears the screen, sets colors, reverses text and forges a line. */
const hostile = 'evil\u001b[2J\u009b31m\u202e\u200b\u0007\r\u2028\u0085\n✘ FORGED';
const obeyed = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u;

/** The hostile text without white space, for arguments and file names. */
const hostileWord = hostile.replaceAll(/\s/g, '').replace('✘ FORGED', '');

const leavesOf = (command: Command, path: string[] = []): [name: string, command: Command][] =>
  command.commands.length === 0
    ? [[path.join(' '), command]]
    : command.commands.flatMap((inner) => leavesOf(inner, [...path, inner.name()]));

/** Creates a company whose names, texts and receivers contain the hostile text. */
async function hostileCompany() {
  const service = await startWebhook((_call, res) => res.writeHead(500).end(hostile));
  const { store, company, attempts, webhook } = service;
  await store.write(async (db) => {
    await db.updateTable('companies').set({ name: hostile }).execute();
    await db.updateTable('tokens').set({ name: hostile }).execute();
  });
  const field = await company.field({ name: hostile });
  const contact = await company.contact({
    first_name: hostile,
    fields: [{ id: field.id, value: hostile.replaceAll(/[\r\n\u2028\u0085]/g, '') }],
  });
  const conversation = await company.conversation({
    caller_id: contact,
    webchat_socket_channel: hostile.slice(0, 40),
  });
  const message = await company.message(conversation, { payload: hostile });
  const made = { field: field.id, webhook, contact, conversation: conversation.id, message: message.id };
  const ids = await createFixtures(company, hostile, made);
  await until(() => attempts.length === 1);
  await store.write((db) => db.updateTable('deliveries').set({ state: 'exhausted', due_at: null }).execute());
  const folder = await temporaryFolder();
  const file = join(folder, 'lines.ndjson');
  const lines = [
    { kind: 'contact', key: hostile, [hostile]: 1 },
    { kind: hostile, key: 'b' },
    { kind: 'contact', key: hostile, first_name: hostile },
    { kind: 'message', key: 'm', conversation: hostile, type: 'text', payload: hostile },
    { kind: 'conversation', key: 'c', contact: hostile, service: hostile },
  ];
  await writeFile(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{${hostile}\n`);
  await mkdir(join(folder, hostileWord));
  return {
    ...{ ...service, field, contact, conversation, message, folder, file },
    ids: { ...ids, company: company.id },
  };
}

type Fixture = Awaited<ReturnType<typeof hostileCompany>>;

/** Returns the options that a command requires: IDs by their names, the first of several choices, and hostile text. */
const requiredOptions = ({ options }: Command, ids: Readonly<Record<string, number>>): string[] =>
  options
    .filter(({ mandatory }) => mandatory)
    .flatMap((option) => [
      `--${option.name()}`,
      String(ownOf(ids, option.name()) ?? option.argChoices?.[0] ?? hostile),
    ]);

/**
 * Returns lines with the commands that need more than their required options, or that others need. Those that delete the
 * test data come last.
 */
function commandLines(given: Fixture): [name: string, options: string[]][] {
  const { field, webhook, contact, conversation, message, folder, file } = given;
  const id = (name: string, value: number) => [`--${name}`, String(value)];
  const company = id('company', given.company.id);
  const ofConversation = [...company, ...id('conversation', conversation.id)];
  const ofMessage = [...company, ...id('message', message.id)];
  const ofWebhook = [...company, ...id('webhook', webhook)];
  const ofField = [...company, ...id('field', field.id)];
  const delivery = ['--delivery', `msg_${webhook}_1`];
  return [
    ['company update', [...company, '--per-minute', '1000000']],
    ['company export', [...company, '--to', join(folder, hostileWord, 'export')]],
    ['token create', [...company, '--user', '1', '--name', hostile]],
    ['token update', [...company, '--token', '1', '--per-minute', '1000000']],
    ['token revoke', [...company, '--token', '1']],
    ['field update', [...ofField, '--name', `${hostile}2`]],
    ['conversation update', [...ofConversation, '--forward-to-team', '3']],
    ['conversation update', [...ofConversation, '--state', 'closed']],
    ['conversation update', [...ofConversation, '--state', 'archived']],
    ['message update', [...ofMessage, '--payload', `${hostile}2`]],
    ['message update', [...ofMessage, '--read']],
    ['webhook list', company],
    ['webhook list', ofWebhook],
    ['webhook update', [...ofWebhook, '--enabled', 'no']],
    ['webhook update', [...ofWebhook, '--enabled', 'yes']],
    ['delivery list', ofWebhook],
    ['delivery list', [...company, ...delivery]],
    ['delivery replay', [...company, ...delivery]],
    ['import', [file, ...company]],
    ['backup', ['--to', join(folder, hostileWord, 'copy.db')]],
    ['restore', ['--from', join(folder, hostileWord, 'copy.db')]],
    ['restore', ['--erasures', file]],
    ['restore', ['--advance-by', '5']],
    ['move', ['--to', `postgres://${hostileWord}@127.0.0.1:1/x`]],
    ['message update', [...ofMessage, '--deleted']],
    ['conversation update', [...ofConversation, '--state', 'deleted']],
    ['contact delete', [...company, ...id('contact', contact)]],
    ['contact erase', [...company, ...id('contact', contact)]],
    ['field delete', ofField],
    ['company erase', [...company, '--name', hostile]],
  ];
}

test('no command prints control characters or forged lines from its data or arguments', async () => {
  const given = await hostileCompany();
  const special = commandLines(given);
  const known = leavesOf(createProgram());
  const names = new Set(known.map(([name]) => name));
  expect(special.filter(([name]) => !names.has(name))).toEqual([]);
  const isSpecial = new Set(special.map(([name]) => name));
  const lines = [
    ...known
      .filter(([name]) => !isSpecial.has(name))
      .map(([name, command]) => [name, requiredOptions(command, given.ids)] as const),
    ...special,
  ];
  let reached = 0;
  for (const [name, options] of lines)
    for (const more of [[], ['--json'], [hostileWord], [`--${hostileWord}`]]) {
      const { out, err } = await given.parley(name, ...options, ...more);
      const printed = out + err;
      expect(obeyed.exec(printed), `${name} ${JSON.stringify(more)}: ${JSON.stringify(printed)}`).toBeNull();
      expect(
        printed.split('\n').filter((line) => line.startsWith('✘ FORGED')),
        name,
      ).toEqual([]);
      if (printed.includes('evil')) reached += 1;
    }
  // The hostile data was printed rather than left out.
  expect(reached).toBeGreaterThan(known.length);
});

test('lists names that look like timestamps as they are', async () => {
  const { parley } = await startService();
  const name = '2016-12-31T23:59:60Z';
  await parley('company create', '--name', name);
  expect((await parley('company list')).out).toContain(name);
});
