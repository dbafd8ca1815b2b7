import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The result of one tool on one document. */
interface ToolResult {
  document: string;
  tool: string;
  /** `refused`: the document has a mistake that the message names. `failed`: the tool did not work as it should. */
  state: 'works' | 'refused' | 'failed';
  message: string;
}

/** Seconds that a tool may take on a document. */
export const maxSeconds = 60;

/** Runs tools on documents, one process per document. @param onResult called for each result */
export async function runDocuments(
  files: readonly string[],
  tools: readonly string[],
  onResult: (result: ToolResult) => void,
): Promise<ToolResult[]> {
  const left = [...files].values();
  const all: ToolResult[] = [];
  const work = async () => {
    for (const file of left)
      for await (const result of resultsOf(file, tools)) {
        all.push(result);
        onResult(result);
      }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return all;
}

/** Yields the results of the tools in turn, until one of them crashes or takes too long. */
async function* resultsOf(document: string, tools: readonly string[]): AsyncGenerator<ToolResult> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run-document.ts'), document, ...tools], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const late = () => setTimeout(() => child.kill('SIGKILL'), maxSeconds * 1_000);
  let timer = late();
  const left = [...tools];
  for await (const line of createInterface(child.stdout)) {
    clearTimeout(timer);
    timer = late();
    left.shift();
    yield { document, ...JSON.parse(line) };
  }
  clearTimeout(timer);
  await closed;
  const [tool] = left;
  if (tool === undefined) return;
  const why = child.signalCode === 'SIGKILL' ? `took more than ${maxSeconds} s` : 'crashed';
  yield { document, tool, state: 'failed', message: `It ${why}. ${errors.trim().slice(-500)}` };
}
