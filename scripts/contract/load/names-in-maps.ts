/** Keywords whose value is a map: its keys are names, not keywords. */
export const mapsOfNames =
  /^(properties|patternProperties|dependentSchemas|\$defs|schemas|responses|parameters|examples|requestBodies|headers|securitySchemes|links|callbacks|mediaTypes|content|encoding|variables|mapping|scopes)$/;

/** Keywords whose value is data, not a part of the document. */
export const holdsData = /^(default|enum|const|value|dataValue|example|x-.*)$/;
