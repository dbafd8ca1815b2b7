/** Reloads the page when a writer's change was built. */
new EventSource(`${document.documentElement.dataset.root ?? ''}live`).addEventListener('changed', () =>
  location.reload(),
);
