exports.isToken = (token) => token === 'token-of-ann';
