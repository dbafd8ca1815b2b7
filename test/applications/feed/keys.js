const keys = new Set(['key-of-ann', 'key-of-bob']);

exports.isKey = (key) => keys.has(key);
