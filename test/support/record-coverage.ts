import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import document from '../../generated/openapi.json' with { type: 'json' };
import { createCoverageRecorder } from '../../scripts/testing/coverage/recorder.ts';
import { folder } from '../../scripts/testing/coverage/recording.ts';

/** What this process reaches of our contract, over all files of tests that it runs. */
const reached = new Set<string>();

/** For services that tests start. */
export const observeService = lazily(true);
/** For mocks: what they answer shows examples, and nothing of the service. */
export const observeMock = lazily(false);

type Observe = ReturnType<typeof createCoverageRecorder>['observe'];

function lazily(answersCount: boolean): Observe {
  let observe: Observe | undefined;
  return (...seen) => {
    observe ??= createCoverageRecorder(document, reached, answersCount).observe;
    observe(...seen);
  };
}

let written = 0;
const file = join(folder, `${randomUUID()}.json`);

/** Keeps what this process has reached so far; after each file of tests, whose process is not theirs alone. */
export function keepRecording(): void {
  if (reached.size === written) return;
  written = reached.size;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify([...reached]));
}
