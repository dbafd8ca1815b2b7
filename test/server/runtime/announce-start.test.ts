import { expect, test } from 'vitest';
import { announceStart } from '../../../server/runtime/announce-start.ts';

/** Announces a start. @returns the text and the messages that are logged, in order */
function announced(isTTY: { stdout: boolean; stderr: boolean }) {
  const texts: string[] = [];
  const logged: string[] = [];
  const stream = (terminal: boolean) => ({ isTTY: terminal, write: (text: string) => texts.push(text) });
  announceStart(
    {
      ...{ address: 'http://127.0.0.1:8080', version: '1.2.3', token: undefined, hasPortal: true },
      metricsAddress: 'http://127.0.0.1:9090/metrics',
    },
    { info: (_fields: object, message?: string) => void logged.push(String(message)) },
    { stdout: stream(isTTY.stdout), stderr: stream(isTTY.stderr) },
  );
  return { text: texts.join(''), logged };
}

test('prints only text on a terminal, with all that the log lines say', () => {
  const { text, logged } = announced({ stdout: true, stderr: true });
  expect(logged).toEqual([]);
  for (const part of ['1.2.3', 'http://127.0.0.1:8080\n', 'http://127.0.0.1:9090/metrics\n', '/docs/'])
    expect(text).toContain(part);
});

test.each([[{ stdout: true, stderr: false }], [{ stdout: false, stderr: true }]])(
  'logs the start if a program reads a stream: %j',
  (streams) => {
    expect(announced(streams).logged).toEqual(['metrics', 'started']);
  },
);
