/**
 * Runs tools on one document, in a process of its own, so that a crash or a hang affects no other document.
 * Arguments: the document, and the names of the tools. Prints a line of JSON when a tool begins, and another with the
 * result.
 */
import { loadContract } from '../../contract/load/load-contract.ts';
import { tools } from './tools.ts';

const [file = '', ...names] = process.argv.slice(2);
const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);

const refusal = await loadContract(file).then(
  () => undefined,
  (error: Error) => error.message.split('\n')[0] ?? '',
);
for (const tool of names) {
  say({ begins: tool });
  if (refusal === undefined) say({ tool, ...(await result(tool)) });
  else say({ tool, state: 'refused', message: refusal, seconds: 0 });
}
process.exit(0);

async function result(name: string) {
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 100) / 10;
  try {
    const problems = (await tools[name]?.(file, () => say({ begins: name }))) ?? [
      `There is no tool ${name}.`,
    ];
    return problems.length === 0
      ? { state: 'works', message: '', seconds: seconds() }
      : { state: 'failed', message: problems.slice(0, 5).join('\n'), seconds: seconds() };
  } catch (error) {
    return {
      state: 'failed',
      message: error instanceof Error ? error.message : String(error),
      seconds: seconds(),
    };
  }
}
