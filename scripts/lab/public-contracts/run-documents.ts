import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The result of one tool on one document. */
export interface ToolResult {
  document: string;
  tool: string;
  /** `refused`: the document has a mistake that the message names. `failed`: the tool did not work as it should. */
  state: 'works' | 'refused' | 'failed';
  message: string;
  seconds: number;
}

/** Seconds that a tool may take on a document. */
export const maxSeconds = 30;

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
  return all.toSorted((one, other) =>
    one.document < other.document ? -1 : one.document > other.document ? 1 : 0,
  );
}

async function* resultsOf(document: string, tools: readonly string[]): AsyncGenerator<ToolResult> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run-document.ts'), document, ...tools], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  let running = tools[0] ?? '';
  let isLate = false;
  const stop = () => {
    isLate = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(stop, maxSeconds * 1_000);
  const done = new Set<string>();
  for await (const line of createInterface(child.stdout)) {
    const message: { begins: string } | (Omit<ToolResult, 'document'> & { begins?: undefined }) =
      JSON.parse(line);
    clearTimeout(timer);
    timer = setTimeout(stop, maxSeconds * 1_000);
    if (message.begins !== undefined) running = message.begins;
    else {
      done.add(message.tool);
      yield { document, ...message };
    }
  }
  clearTimeout(timer);
  await closed;
  if (done.size === tools.length) return;
  const message = isLate ? `It took more than ${maxSeconds} s.` : `It crashed: ${errors.trim().slice(-500)}`;
  yield { document, tool: running, state: 'failed', message, seconds: maxSeconds };
  // This process has ended, so the remaining tools run in a new one.
  const others = tools.filter((tool) => tool !== running && !done.has(tool));
  if (others.length > 0) yield* resultsOf(document, others);
}
