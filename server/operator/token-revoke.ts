import { Command } from 'commander';
import { Refused, refusal } from '../errors.ts';
import { revokeToken } from '../storage/tokens.ts';
import { action, changeIn, wholeNumber } from './run.ts';

export const tokenRevoke = (): Command =>
  new Command('revoke')
    .description('Take a token back. From this moment it opens nothing.')
    .requiredOption('--company <id>', 'the company', wholeNumber(1))
    .requiredOption('--token <id>', "the token's number, as token list shows it", wholeNumber(1))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- token revoke --company 1 --token 3')
    .action(
      action<{ company: number; token: number; json?: true }>(async ({ store, now }, { company, token }) => {
        const revoked = await changeIn(store, company, (db) => revokeToken(db, company, token, now()));
        if (!revoked)
          throw new Refused(
            refusal('noSuchResource', {
              message: `Company ${company} has no token ${token} that is not revoked yet.`,
            }),
          );
        return { text: `Token ${token} revoked.`, json: { id: token, state: 'revoked' } };
      }),
    );
