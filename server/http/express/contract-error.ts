import { type ErrorResponse, listedErrors } from '../../contract/errors.ts';

/** The error that Express passes to error handlers, with the same properties as express-openapi-validator's errors. */
export class ContractError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The invalid locations: `/query/page`, `/body/name`. */
  readonly errors: readonly { path: string; message: string }[];
  constructor(response: ErrorResponse) {
    super(response.message);
    this.status = response.status;
    this.headers = response.headers;
    this.errors = listedErrors(response).map(({ path, message }) => ({ path, message }));
  }
}
