import { fastFormats } from 'ajv-formats/dist/formats.js';
import { formats } from './formats.ts';

/** All formats that are validated. Where both packages define one, ours is used. */
export const knownFormats = { ...fastFormats, ...formats };
