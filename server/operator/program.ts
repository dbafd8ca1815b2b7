import { Command } from 'commander';
import about from '../../package.json' with { type: 'json' };
import { configHelp } from '../config/config-help.ts';
import { auditList } from './audit.ts';
import {
  companyCreate,
  companyErase,
  companyExport,
  companyLimit,
  companyList,
  companyShow,
} from './companies.ts';
import { contactDelete, contactErase, contactFind } from './contacts.ts';
import {
  conversationArchive,
  conversationClose,
  conversationDelete,
  conversationForward,
  conversationOpen,
  conversationUpdate,
} from './conversations.ts';
import { advanceIdsCommand, backup, integrityCheck, migrateDatabase, secretsRotate } from './database.ts';
import { deliveryList, deliveryShow } from './deliveries.ts';
import { deliveryReplay } from './delivery-replay.ts';
import { erasureApply, erasureList } from './erasures.ts';
import { fieldCreate, fieldDelete, fieldList, fieldUpdate } from './fields.ts';
import { importFile } from './import.ts';
import { messageDelete, messageEdit, messageMarkRead, messageReceive } from './messages.ts';
import { move } from './move.ts';
import { restore } from './restore.ts';
import { tokenCreate, tokenLimit, tokenList, tokenRevoke } from './tokens.ts';
import { webhookListen } from './webhook-listen.ts';
import { webhookTest } from './webhook-test.ts';
import { webhookDisable, webhookEnable, webhookList, webhookRotateSecret, webhookShow } from './webhooks.ts';

const groups = [
  {
    name: 'company',
    about: 'Manage companies',
    commands: [companyCreate, companyList, companyShow, companyLimit, companyExport, companyErase],
  },
  { name: 'token', about: 'Manage tokens', commands: [tokenCreate, tokenList, tokenLimit, tokenRevoke] },
  {
    name: 'field',
    about: 'Manage custom fields',
    commands: [fieldCreate, fieldUpdate, fieldDelete, fieldList],
  },
  {
    name: 'contact',
    about: 'Find, delete and erase contacts',
    commands: [contactFind, contactDelete, contactErase],
  },
  {
    name: 'conversation',
    about: 'Manage conversations',
    commands: [
      conversationOpen,
      conversationUpdate,
      conversationForward,
      conversationClose,
      conversationArchive,
      conversationDelete,
    ],
  },
  {
    name: 'message',
    about: 'Manage messages',
    commands: [messageReceive, messageEdit, messageMarkRead, messageDelete],
  },
  {
    name: 'webhook',
    about: 'Manage webhooks',
    commands: [
      webhookList,
      webhookShow,
      webhookDisable,
      webhookEnable,
      webhookRotateSecret,
      webhookTest,
      webhookListen,
    ],
  },
  {
    name: 'erasure',
    about: 'Manage the list of erasures, which is applied after a restore',
    commands: [erasureList, erasureApply],
  },
  {
    name: 'audit',
    about: 'Show who changed what',
    commands: [auditList],
  },
  { name: 'secrets', about: 'Rotate the encryption key of webhook secrets', commands: [secretsRotate] },
  {
    name: 'delivery',
    about: 'Inspect and replay deliveries',
    commands: [deliveryList, deliveryShow, deliveryReplay],
  },
];

/** Creates the command-line program for operators. */
export function createProgram(): Command {
  const program = new Command('npm run -s parley --')
    .version(about.version)
    .description("Run an operator's command on the database. The service may be running.")
    .addHelpText(
      'after',
      `
Configuration, from the environment:
${configHelp(['database'])}

Examples:
  npm run -s parley -- company create --name 'Acme'
  npm run -s parley -- token create --company 1 --user 17
  npm run -s parley -- field list --company 1 --json

Exit codes: 0 success, 1 failure, 2 usage error.`,
    );

  for (const { name, about, commands } of groups) {
    const group = program.command(name).description(about);
    for (const make of commands) group.addCommand(make());
  }
  for (const make of [importFile, migrateDatabase, backup, integrityCheck, restore, advanceIdsCommand, move])
    program.addCommand(make());
  return complete(program);
}

/**
 * Adds `--json` to every command that has no such option of its own. Shows choices and default values of options in the help,
 * and marks required options.
 */
function complete(command: Command): Command {
  const isLeaf = command.commands.length === 0;
  if (isLeaf && !command.options.some(({ long }) => long === '--json'))
    command.option('--json', 'print JSON');

  command.configureHelp({
    optionDescription: (option) => {
      const { defaultValue, defaultValueDescription: told = JSON.stringify(defaultValue) } = option;
      const choices = option.argChoices ? ` (${option.argChoices.join(', ')})` : '';
      const usual = defaultValue === undefined ? '' : ` (default: ${told})`;
      return `${option.description}${choices}${usual}${option.mandatory ? ' (required)' : ''}`;
    },
  });
  for (const inner of command.commands) complete(inner);
  return command;
}
