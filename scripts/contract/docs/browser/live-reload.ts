/** While a writer works: the page is loaded anew when it was made anew. */
new EventSource(`${document.documentElement.dataset.root ?? ''}live`).addEventListener('changed', () =>
  location.reload(),
);
