/** Reloads the page when the development server has rebuilt the portal. */
new EventSource(`${document.documentElement.dataset.root ?? ''}live`).addEventListener('changed', () =>
  location.reload(),
);
