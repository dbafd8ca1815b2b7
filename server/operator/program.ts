import { Command } from 'commander';
import about from '../../package.json' with { type: 'json' };
import { configHelp } from '../config/config-help.ts';
import { advanceIdsCommand } from './advance-ids.ts';
import { auditList } from './audit-list.ts';
import { backup } from './backup.ts';
import { companyCreate } from './company-create.ts';
import { companyErase } from './company-erase.ts';
import { companyExport } from './company-export.ts';
import { companyLimit } from './company-limit.ts';
import { companyList } from './company-list.ts';
import { companyShow } from './company-show.ts';
import { contactDelete } from './contact-delete.ts';
import { contactErase } from './contact-erase.ts';
import { contactFind } from './contact-find.ts';
import { conversationArchive } from './conversation-archive.ts';
import { conversationClose } from './conversation-close.ts';
import { conversationDelete } from './conversation-delete.ts';
import { conversationForward } from './conversation-forward.ts';
import { conversationOpen } from './conversation-open.ts';
import { conversationUpdate } from './conversation-update.ts';
import { deliveryList } from './delivery-list.ts';
import { deliveryReplay } from './delivery-replay.ts';
import { deliveryShow } from './delivery-show.ts';
import { erasureApply } from './erasure-apply.ts';
import { erasureList } from './erasure-list.ts';
import { fieldCreate } from './field-create.ts';
import { fieldDelete } from './field-delete.ts';
import { fieldList } from './field-list.ts';
import { fieldUpdate } from './field-update.ts';
import { importFile } from './import.ts';
import { integrityCheck } from './integrity-check.ts';
import { messageDelete } from './message-delete.ts';
import { messageEdit } from './message-edit.ts';
import { messageMarkRead } from './message-mark-read.ts';
import { messageReceive } from './message-receive.ts';
import { migrateDatabase } from './migrate.ts';
import { move } from './move.ts';
import { restore } from './restore.ts';
import { secretsRotate } from './secrets-rotate.ts';
import { tokenCreate } from './token-create.ts';
import { tokenLimit } from './token-limit.ts';
import { tokenList } from './token-list.ts';
import { tokenRevoke } from './token-revoke.ts';
import { webhookDisable } from './webhook-disable.ts';
import { webhookEnable } from './webhook-enable.ts';
import { webhookList } from './webhook-list.ts';
import { webhookListen } from './webhook-listen.ts';
import { webhookRotateSecret } from './webhook-rotate-secret.ts';
import { webhookShow } from './webhook-show.ts';
import { webhookTest } from './webhook-test.ts';

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
  return markRequired(program);
}

/** Shows choices and default values of options in the help, and marks required options. */
function markRequired(command: Command): Command {
  command.configureHelp({
    optionDescription: (option) => {
      const { defaultValue, defaultValueDescription: told = JSON.stringify(defaultValue) } = option;
      const choices = option.argChoices ? ` (${option.argChoices.join(', ')})` : '';
      const usual = defaultValue === undefined ? '' : ` (default: ${told})`;
      return `${option.description}${choices}${usual}${option.mandatory ? ' (required)' : ''}`;
    },
  });
  for (const inner of command.commands) markRequired(inner);
  return command;
}
