declare const testing: typeof import('./testing.js', { with: { 'resolution-mode': 'import' }});

export = testing;
