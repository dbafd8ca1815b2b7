import { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { openConfiguredSecrets } from '../runtime/bootstrap.ts';
import { reencryptAll } from '../secrets/rotate-key.ts';
import { action } from './action.ts';
import { cliIo } from './cli-io.ts';

const about = `
How the key is changed while the service runs, on one machine or many:
  1. Make a new one:  openssl rand -base64 32
  2. Let every process know both, the old one first: PARLEY_SECRET_KEY=OLD,NEW (or two lines in the key file). Restart.
  3. Put the new one first: PARLEY_SECRET_KEY=NEW,OLD. Restart. What is new is sealed with it from now on.
  4. Run this command, with the same setting.
  5. Leave the old one out: PARLEY_SECRET_KEY=NEW. Restart. Backups from before still need the old one.

Example:
  npm run -s parley -- secrets rotate`;

export const secretsRotate = (): Command =>
  new Command('rotate')
    .description('Encrypt the secrets of webhooks anew, with the first of the keys that are set.')
    .option('--json', 'print JSON')
    .addHelpText('after', about)
    .action(
      action<{ json?: true }>(async ({ store }) => {
        const secrets = await openConfiguredSecrets(readConfig(cliIo().env), store);
        const { secrets: all, resealed } = await reencryptAll(store, secrets);
        // Secrets that were encrypted with the previous key are removed from the files.
        if (resealed > 0) await store.purgeDeleted();
        return {
          text: `${resealed} of ${all} secrets encrypted anew. The first key opens all of them; others can be left out now.`,
          json: { secrets: all, resealed },
        };
      }),
    );
