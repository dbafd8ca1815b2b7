const loading = new Map<string, Promise<unknown>>();

/** Loads a script of the portal when it is first needed, so that pages are readable without it. @throws Error if it cannot be loaded */
export function loadScript(src: string): Promise<unknown> {
  const loaded =
    loading.get(src) ??
    new Promise((onload, reject) => {
      const onerror = () => reject(new Error(`${src} cannot be loaded`));
      document.head.append(Object.assign(document.createElement('script'), { src, onload, onerror }));
    });
  loading.set(src, loaded);
  return loaded;
}
