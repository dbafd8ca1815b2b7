/** Keywords whose values have names as keys. */
export const holdsNames = /^(properties|patternProperties|\$defs|dependentSchemas|schemas)$/;

/** Keywords whose values are data, not schemas. */
export const holdsData = /^(examples?|default|enum|const)$/;
