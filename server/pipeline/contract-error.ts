import type { ErrorResponse } from './errors.ts';

/** The error that Express passes to error handlers, with the same properties as express-openapi-validator's errors. */
export class ContractError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The invalid locations: `/query/page`, `/body/name`. */
  readonly errors: readonly { path: string; message: string }[];
  constructor({ status, message, headers, fields }: ErrorResponse) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.errors = problemsIn(message, fields.split(', ').filter(Boolean));
  }
}

/** Splits a message such as `query/page must be integer; /name is required.` into one message per invalid location. */
function problemsIn(message: string, fields: readonly string[]): { path: string; message: string }[] {
  const starts = fields.map((field) => message.indexOf(`${field} `));
  return fields.map((field, index) => ({
    path: field.startsWith('/') ? `/body${field}` : `/${field}`,
    message: message.slice((starts[index] ?? 0) + field.length + 1, starts[index + 1]).replace(/[;.] ?$/, ''),
  }));
}
