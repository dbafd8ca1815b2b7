import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { LabEnvironment } from '../environment.ts';
import { type DatasetSizes, datasetChunks } from './dataset.ts';

/** The result of an import, and a token with all scopes for the company. */
export interface LoadedDataset {
  token: string;
  lines: number;
  seconds: number;
}

/**
 * Uses operator commands to create a company and to import a data set into it.
 * @throws Error if a line was not imported
 */
export async function loadDataset(
  { env, parley }: Pick<LabEnvironment, 'env' | 'parley'>,
  sizes: DatasetSizes,
  onProgress: (lines: number) => void,
): Promise<LoadedDataset> {
  await parley('company', 'create', '--name', 'Growing');
  const others = Array.from({ length: sizes.values - 1 }, (_, at) => ['--name', `City ${at + 1}`]);
  for (const field of [['--name', 'Customer number', '--unique'], ...others])
    await parley('field', 'create', '--company', '1', '--type', 'short_text', ...field);
  const child = spawn(
    process.execPath,
    ['server/operator/main.ts', 'import', '-', '--company', '1', '--json'],
    {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const printed = text(child.stdout);
  const over = once(child, 'exit');
  let lines = 0;
  function* told(): Generator<string> {
    for (const part of datasetChunks(sizes)) {
      yield part;
      lines += 1_000;
      onProgress(lines);
    }
  }
  await pipeline(Readable.from(told()), child.stdin);
  await over;
  const result = JSON.parse(await printed);
  const expected = sizes.contacts + sizes.conversations + sizes.messages;
  if (result.bad > 0 || result.lines !== expected)
    throw new Error(`The import stored less than it got: ${JSON.stringify(result)}`);
  const { token } = await parley('token', 'create', '--company', '1', '--user', '17');
  return { token: String(token), lines: result.lines, seconds: result.seconds };
}
