/** Reloads the page after a changed source has been built. */
new EventSource(`${document.documentElement.dataset.root ?? ''}live`).addEventListener('changed', () =>
  location.reload(),
);
