import { Command } from 'commander';
import { contractVersion } from '../../generated/operations.ts';
import { configHelp } from '../runtime/config/config-help.ts';
import { auditList } from './audit.ts';
import { companyCreate, companyErase, companyExport, companyList, companyUpdate } from './companies.ts';
import { contactDelete, contactErase } from './contacts.ts';
import { conversationOpen, conversationUpdate } from './conversations.ts';
import { backup, integrityCheck, migrateDatabase, secretsRotate } from './database.ts';
import { deliveryList } from './deliveries.ts';
import { deliveryReplay } from './delivery-replay.ts';
import { erasureList } from './erasures.ts';
import { fieldCreate, fieldDelete, fieldList, fieldUpdate } from './fields.ts';
import { importFile } from './import.ts';
import { messageReceive, messageUpdate } from './messages.ts';
import { move } from './move.ts';
import { restore } from './restore.ts';
import { tokenCreate, tokenList, tokenRevoke, tokenUpdate } from './tokens.ts';
import { webhookTest } from './webhook-test.ts';
import { webhookList, webhookRotateSecret, webhookUpdate } from './webhooks.ts';

const groups = [
  {
    name: 'company',
    about: 'Manage companies',
    commands: [companyCreate, companyList, companyUpdate, companyExport, companyErase],
  },
  { name: 'token', about: 'Manage tokens', commands: [tokenCreate, tokenList, tokenUpdate, tokenRevoke] },
  {
    name: 'field',
    about: 'Manage custom fields',
    commands: [fieldCreate, fieldUpdate, fieldDelete, fieldList],
  },
  {
    name: 'contact',
    about: 'Delete and erase contacts',
    commands: [contactDelete, contactErase],
  },
  {
    name: 'conversation',
    about: 'Manage conversations',
    commands: [conversationOpen, conversationUpdate],
  },
  {
    name: 'message',
    about: 'Manage messages',
    commands: [messageReceive, messageUpdate],
  },
  {
    name: 'webhook',
    about: 'Manage webhooks',
    commands: [webhookList, webhookUpdate, webhookRotateSecret, webhookTest],
  },
  {
    name: 'erasure',
    about: 'List erasures, which are repeated after a restore',
    commands: [erasureList],
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
    commands: [deliveryList, deliveryReplay],
  },
];

/** Creates the command-line program for operators. */
export function createProgram(): Command {
  const program = new Command('npm run -s parley --')
    .version(contractVersion)
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
  for (const make of [importFile, migrateDatabase, backup, integrityCheck, restore, move])
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
