const loading = new Map<string, Promise<void>>();

/** Loads a script of the portal when it is first needed, so that pages are readable without it. @throws Error if it cannot be loaded */
export function loadScript(src: string): Promise<void> {
  const loaded =
    loading.get(src) ??
    new Promise<void>((resolve, reject) => {
      const script = document.createElement('script');
      script.src = src;
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(`${src} cannot be loaded`));
      document.head.append(script);
    });
  loading.set(src, loaded);
  return loaded;
}
