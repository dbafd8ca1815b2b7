/** Keywords whose values are schemas by name. */
export const mapKeywords = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose values are data. */
export const dataKeywords = new Set(['enum', 'const', 'default', 'required', 'dependentRequired', 'type']);
/** Keywords whose values are schemas, or lists of them. */
export const schemaKeywords = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'items', 'prefixItems', 'contains'],
  ...['additionalProperties', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties'],
]);
/** Keywords whose values are scalars. */
export const valueKeywords = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['pattern', 'format', 'minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains'],
  ...['minProperties', 'maxProperties', 'contentMediaType', 'contentEncoding'],
]);
