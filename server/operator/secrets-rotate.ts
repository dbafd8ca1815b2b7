import { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { openConfiguredSecrets } from '../runtime/bootstrap.ts';
import { reencryptAll } from '../secrets/rotate-key.ts';
import { action } from './action.ts';
import { cliIo } from './cli-io.ts';

const about = `
Rotate the key while the service runs, on one machine or several:
  1. Create a new key:  openssl rand -base64 32
  2. Set both keys in every process, the old one first: PARLEY_SECRET_KEY=OLD,NEW (or two lines in the key file). Restart.
  3. Set the new key first: PARLEY_SECRET_KEY=NEW,OLD. Restart. New secrets are encrypted with it from now on.
  4. Run this command with the same setting.
  5. Remove the old key: PARLEY_SECRET_KEY=NEW. Restart. Older backups still need the old key.

Example:
  npm run -s parley -- secrets rotate`;

export const secretsRotate = (): Command =>
  new Command('rotate')
    .description('Re-encrypt webhook secrets with the first configured key.')
    .option('--json', 'print JSON')
    .addHelpText('after', about)
    .action(
      action<{ json?: true }>(async ({ store }) => {
        const secrets = await openConfiguredSecrets(readConfig(cliIo().env), store);
        const { secrets: all, resealed } = await reencryptAll(store, secrets);
        // Removes deleted data from the database files, because it contains secrets that the previous key can decrypt.
        if (resealed > 0) await store.purgeDeleted();
        return {
          text: `${resealed} of ${all} secrets re-encrypted with the first key. Other keys can be removed now.`,
          json: { secrets: all, resealed },
        };
      }),
    );
