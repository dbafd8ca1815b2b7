import type { StatefulService, StatefulServiceOptions } from '../config.ts';
import { mockAuthenticate } from '../mock/authenticate.ts';
import type { MockHandlerOptions } from './mock-handler.ts';

/** The data, clock and events of a service in memory (default: the demo data, the clock of this machine, no events). */
export type MemoryServiceOptions = Partial<
  Omit<StatefulServiceOptions, 'authenticateWith' | 'onResponse' | 'onError'>
>;

/**
 * Starts the service in memory, as the configuration says. Its control request `reset` replaces it with a new one.
 * @throws Error if the configuration has no `startStatefulService`; the errors of that function
 */
export async function startMemoryService(
  { config, controls, onResponse = () => {}, onError = () => {} }: MockHandlerOptions,
  given: MemoryServiceOptions,
): Promise<Required<StatefulService>> {
  const { startStatefulService } = config;
  if (!startStatefulService) throw new Error('The configuration has no startStatefulService.');
  const start = () =>
    startStatefulService({
      ...{ authenticateWith: mockAuthenticate, onResponse, onError },
      ...{ now: Date.now, ...given },
    });
  let service = await start();
  let resetting = Promise.resolve();
  const replace = async () => {
    const old = service;
    service = await start();
    controls?.scenarios?.reset();
    await old.close();
  };
  // After a reset, the control of the new service.
  const others = Object.entries(service.controls ?? {}).map(([name, control]) => [
    name,
    (body: unknown) => (service.controls?.[name] ?? control)(body),
  ]);
  return {
    listener: (req, res) => service.listener(req, res),
    controls: {
      async reset() {
        // One after the other, so that every service is closed.
        const own = resetting.then(replace);
        resetting = own.catch(() => {});
        await own;
        return { status: 204, body: undefined };
      },
      ...Object.fromEntries(others),
    },
    close: () => service.close(),
  };
}
