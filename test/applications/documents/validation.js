const OpenApiValidator = require('express-openapi-validator');
const { isToken } = require('./tokens.js');

exports.validation = OpenApiValidator.middleware({
  apiSpec: './openapi.yaml',
  validateResponses: true,
  fileUploader: false,
  validateSecurity: { handlers: { token: (req) => isToken(req.get('X-Token')) } },
});
