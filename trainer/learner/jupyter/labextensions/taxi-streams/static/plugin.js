// The plugin: what it takes from JupyterLab, and what it puts there.

import { Course } from "./course.js";
import { ExerciseButtons } from "./buttons.js";
import { makePanel } from "./panel.js";

const SHARED = {
  application: "@jupyterlab/application",
  apputils: "@jupyterlab/apputils",
  coreutils: "@jupyterlab/coreutils",
  notebook: "@jupyterlab/notebook",
  outputarea: "@jupyterlab/outputarea",
  services: "@jupyterlab/services",
  ui: "@jupyterlab/ui-components",
  widgets: "@lumino/widgets",
};

export async function makePlugin(take, here) {
  const parts = Object.entries(SHARED).map(async ([name, module]) => [name, await take(module)]);
  const jupyter = Object.fromEntries(await Promise.all(parts));
  return {
    id: "taxi-streams:course",
    description: "A panel with the course, and buttons beside each exercise.",
    autoStart: true,
    requires: [jupyter.notebook.INotebookTracker],
    optional: [jupyter.application.ILabShell, jupyter.application.ILayoutRestorer],
    activate: (app, notebooks, shell, restorer) => {
      const course = new Course(jupyter);
      addStyles([course.address("palette.css"), new URL("style.css", here).href]);
      const panel = makePanel(app, jupyter, course);
      app.shell.add(panel, "left", { rank: 90 });
      restorer?.add(panel, panel.id);
      new ExerciseButtons(jupyter, course).follow(notebooks);
      jupyter.notebook.NotebookActions.executed.connect(() => course.refresh());
      app.restored.then(() => course.watch(panel));
    },
  };
}

function addStyles(addresses) {
  for (const href of addresses) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
  }
}
