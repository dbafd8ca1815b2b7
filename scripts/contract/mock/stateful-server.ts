import type { Server } from 'node:http';
import express from 'express';
import { createCors } from '../../../server/lib/cors.ts';
import type { ContractConfig } from '../config.ts';
import { mockAuthenticate } from './authenticate.ts';
import type { MockOptions } from './server.ts';

/**
 * Creates a mock that is the service itself, on an in-memory database. Created resources exist until the mock ends.
 * @param config the project's settings, which must include `startStatefulService`
 * @param now returns milliseconds since 1970
 * @returns the server, which does not listen yet, and a function that closes the service
 */
export async function createStatefulMock(
  { startStatefulService, createServer }: ContractConfig,
  { onResponse = () => {}, onError = () => {} }: Pick<MockOptions, 'onResponse' | 'onError'> = {},
  now: () => number = Date.now,
): Promise<{ server: Server; close: () => Promise<void> }> {
  if (!startStatefulService) throw new Error('The configuration has no startStatefulService.');
  const { listener, close } = await startStatefulService({
    authenticateWith: mockAuthenticate,
    onResponse,
    onError,
    now,
  });
  const app = express();
  app.disable('x-powered-by');
  const { addHeaders, answerPreflight } = createCors(() => true);
  app.use(addHeaders, answerPreflight);
  app.use(listener);
  return { server: createServer(app), close };
}
