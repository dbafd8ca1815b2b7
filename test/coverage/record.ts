import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { createObserver } from '../../scripts/coverage/observer.ts';
import { folder } from '../../scripts/coverage/recording.ts';

/** What this file of tests reaches of our contract. */
const reached = new Set<string>();

/** For services that tests start. */
export const observeService = lazily(true);
/** For mocks: what they answer shows examples, and nothing of the service. */
export const observeMock = lazily(false);

type Observe = ReturnType<typeof createObserver>['observe'];

function lazily(answersCount: boolean): Observe {
  let observe: Observe | undefined;
  return (...seen) => {
    observe ??= createObserver(document, reached, answersCount).observe;
    observe(...seen);
  };
}

afterAll(() => {
  if (reached.size === 0) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify([...reached]));
});
