import { fastFormats } from 'ajv-formats/dist/formats.js';
import { formats as integerFormats } from 'express-openapi-validator/dist/framework/ajv/formats.js';
import { formats } from '../../lib/formats.ts';

/** All formats that the pipeline validates: those of express-openapi-validator and of ajv-formats, and our own. */
export const knownFormats = { ...fastFormats, ...integerFormats, ...formats };
