import { fastFormats } from 'ajv-formats/dist/formats.js';
import { formats as integerFormats } from 'express-openapi-validator/dist/framework/ajv/formats.js';
import { formats } from '../../lib/formats.ts';

/** All formats that the pipeline validates. Where several packages define one, express-openapi-validator uses the last. */
export const knownFormats = { ...integerFormats, ...fastFormats, ...formats };
