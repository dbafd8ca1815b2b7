import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import document from '../../generated/openapi.json' with { type: 'json' };
import { createCoverageRecorder } from '../../scripts/testing/coverage/recorder.ts';
import { folder } from '../../scripts/testing/coverage/recording.ts';

/** The parts of our contract that this process has covered, over all its test files. */
const reached = new Set<string>();

/** For services that tests start. */
export const observeService = lazily(true);
/** For mocks. Their responses show examples, not the service. */
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

/** Stores the coverage of this process after each test file, because it may run more files. */
export function keepRecording(): void {
  if (reached.size === written) return;
  written = reached.size;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify([...reached]));
}
