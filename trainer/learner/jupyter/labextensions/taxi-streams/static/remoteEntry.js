// The door through which JupyterLab comes to fetch the extension: a module-federation container,
// written by hand. JupyterLab says what it shares, and asks for the plugin. So the modules beside
// this file are read as they stand, and there is nothing to build.
(() => {
  const here = document.currentScript.src;
  let shared;

  async function take(name) {
    const [offer] = Object.values(shared[name]);
    return (await offer.get())();
  }

  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["taxi-streams"] = {
    init: (scope) => {
      shared = scope;
    },
    get: async () => {
      const { makePlugin } = await import(new URL("plugin.js", here));
      const plugin = await makePlugin(take, here);
      return () => plugin;
    },
  };
})();
