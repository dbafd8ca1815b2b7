import { expect } from 'vitest';
import type { ApiReply } from './api-client.ts';
import type { CliResult } from './cli.ts';

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Expects an error response with this status and code. Without `fields`, it may name any locations. */
    toBeApiError(status: number, code: number, fields?: string): R;
    /** Expects a command that has exited with a code, and whose error contains a text. */
    toFail(code: number, text?: string): R;
  }
}

expect.extend({
  toBeApiError(reply: ApiReply, status: number, code: number, fields?: string) {
    const body = reply.body as { code?: unknown; message?: unknown; fields?: unknown } | undefined;
    const asExpected =
      reply.status === status &&
      body?.code === code &&
      typeof body.message === 'string' &&
      body.message.length > 0 &&
      (fields === undefined ? typeof body.fields === 'string' : body.fields === fields);
    return {
      pass: asExpected,
      message: () =>
        `expected ${status} ${code} at ${fields ?? '(any place)'}, got ${reply.status} ${JSON.stringify(body)}`,
      actual: { status: reply.status, code: body?.code, fields: body?.fields },
      expected: { status, code, fields: fields ?? body?.fields },
    };
  },
  toFail({ code, err, out }: Omit<CliResult, 'code'> & { code: number | null }, expected: number, text = '') {
    return {
      pass: code === expected && err.includes(text),
      message: () => `expected exit code ${expected} with "${text}", got ${code} with "${err}" and "${out}"`,
    };
  },
});
