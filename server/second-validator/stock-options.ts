import { formats } from '../lib/formats.ts';

/** Returns options that make the stock middleware validate as ours does. It modifies them, so each caller gets a new object. */
export const stockValidatorOptions = () => ({
  validateRequests: { allErrors: true },
  validateResponses: { allErrors: true },
  validateSecurity: false,
  // The linter validates the document.
  validateApiSpec: false,
  // The body has been read and parsed.
  fileUploader: false,
  formats: { ...formats },
});
