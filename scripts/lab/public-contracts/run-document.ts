/**
 * Runs tools on one document, in a process of its own, so that a crash or a hang affects no other document.
 * Arguments: the document, and the names of the tools. Prints the result of each tool as a line of JSON.
 */
import { errorMessage } from '../../../server/lib/error-message.ts';
import { loadContract } from '../../contract/load/load-contract.ts';
import { tools } from './tools.ts';

const [file = '', ...names] = process.argv.slice(2);

const loadError = await loadContract(file).then(
  () => undefined,
  (error: Error) => error.message.split('\n')[0] ?? '',
);
for (const tool of names) {
  const problems =
    loadError === undefined
      ? await (tools[tool]?.(file) ?? Promise.resolve([])).catch((error: unknown) => [errorMessage(error)])
      : [loadError];
  const state = problems.length === 0 ? 'works' : loadError === undefined ? 'failed' : 'refused';
  process.stdout.write(`${JSON.stringify({ tool, state, message: problems.slice(0, 5).join('\n') })}\n`);
}
process.exit(0);
