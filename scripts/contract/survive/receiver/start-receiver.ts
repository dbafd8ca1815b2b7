import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { startCommand } from '../start-command.ts';

const startTimeoutMs = 30_000;

/**
 * Starts a receiver, and waits until it accepts connections.
 * @param url URL of the receiver
 * @returns a function that stops it and the processes that it has started
 * @throws Error with its output if it ends or does not listen within 30 s, or if another process listens at the URL
 */
export async function startReceiver(
  command: readonly string[],
  url: string,
  environment: Readonly<Record<string, string>>,
): Promise<() => void> {
  const { hostname, port } = new URL(url);
  if (await accepts(hostname, Number(port || 80)))
    throw new Error(`Another process listens on ${url} already. Stop it, or omit the command to test it.`);
  let output = '';
  let isEnded = false;
  const { child, stop } = startCommand(command, environment);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-2_000);
    });
  for (const event of ['close', 'error'] as const)
    child.once(event, (reason: unknown) => {
      isEnded = true;
      if (reason instanceof Error) output += reason.message;
    });
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await wait(50)) {
    if (isEnded) throw new Error(`The receiver has ended: ${output.trim()}`);
    if (await accepts(hostname, Number(port || 80))) return stop;
  }
  stop();
  throw new Error(`Nothing listens on ${url} after ${startTimeoutMs / 1_000} s. ${output.trim()}`);
}

const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host.replace(/^\[|\]$/g, ''));
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
