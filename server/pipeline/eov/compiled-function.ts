import type { ValidateFunction } from 'ajv';
import type { AnyValidateFunction } from 'ajv/dist/types/index.js';
import { augmentAjvErrors } from 'express-openapi-validator/dist/middlewares/util.js';
import type { SchemaViolation } from '../operation.ts';
import { toViolations } from '../violations.ts';

/** Returns the errors of a compiled function, worded like those of the stock middleware. */
export const findingsOf = ({ errors }: ValidateFunction, root = ''): SchemaViolation[] =>
  toViolations(augmentAjvErrors(errors ?? []), root);

/** Removes the asynchronous case from the type. Contracts have no such schemas: `$async` is a keyword of Ajv. */
export const asSync = (validate: AnyValidateFunction): ValidateFunction => validate as ValidateFunction;
