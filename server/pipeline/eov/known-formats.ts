import { fastFormats, fullFormats } from 'ajv-formats/dist/formats.js';
import { formats as integerFormats } from 'express-openapi-validator/dist/framework/ajv/formats.js';
import { formats } from '../../lib/formats.ts';

/** The formats with which express-openapi-validator is created: its own validator of times accepts 25:00. */
export const strictFormats = { ...formats, time: fullFormats.time };

/** All formats that the pipeline validates. Where several packages define one, express-openapi-validator uses the last. */
export const knownFormats = { ...integerFormats, ...fastFormats, ...strictFormats };
