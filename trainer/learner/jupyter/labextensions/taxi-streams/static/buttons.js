// The buttons below each cell that holds an exercise: check, hint, solution, reset.

import { answerIn, nameIn } from "./cells.js";
import { helpButton } from "./class.js";
import { button, element, verdict } from "./elements.js";

export class ExerciseButtons {
  constructor(jupyter, course) {
    this.jupyter = jupyter;
    this.course = course;
    this.bars = new WeakMap();
  }

  // Gives buttons to every cell of every notebook, now and later.
  follow(notebooks) {
    const meet = (panel) => {
      const look = () => panel.content.widgets.forEach((cell) => this.meet(panel, cell));
      panel.content.model?.cells.changed.connect(look);
      panel.content.modelContentChanged.connect(look);
      panel.revealed.then(look);
    };
    notebooks.forEach(meet);
    notebooks.widgetAdded.connect((_, panel) => meet(panel));
  }

  // A cell becomes an exercise, or ceases to be one, as its first line says.
  async meet(panel, cell) {
    if (cell.model?.type !== "code") return;
    await cell.ready;
    if (cell.isDisposed) return;
    const name = nameIn(cell.model.sharedModel.getSource());
    const bar = this.bars.get(cell);
    if (bar?.name === name) return;
    bar?.widget.dispose();
    this.bars.delete(cell);
    if (name) this.bars.set(cell, new Bar(this.jupyter, this.course, panel, cell, name));
  }
}

class Bar {
  constructor(jupyter, course, panel, cell, name) {
    Object.assign(this, { jupyter, course, panel, cell, name });
    // Keys pressed on a button are the button's, and no shortcuts of the notebook's.
    const node = element("div", {
      className: "taxi-bar",
      role: "toolbar",
      aria: { label: `Exercise ${name}` },
      data: { lmSuppressShortcuts: "true" },
    });
    this.says = element("span", { role: "status" });
    this.help = element("span");
    node.append(
      button("check", `Check ${name}`, () => this.check()),
      button("hint", `Hint for ${name}`, () => this.show("hint")),
      button("solution", `Solution of ${name}`, () => this.show("solution")),
      button("reset", `Reset ${name}`, () => this.reset()),
      this.help,
      this.says,
    );
    this.widget = new jupyter.widgets.Widget({ node });
    const below = cell.layout.widgets.findIndex((each) => each.hasClass("jp-Cell-inputWrapper"));
    cell.layout.insertWidget(below + 1, this.widget);
    const stop = course.onChange(() => this.sayVerdict());
    this.widget.disposed.connect(stop);
  }

  sayVerdict() {
    const exercise = this.course.find(this.name);
    if (exercise) this.says.replaceChildren(verdict(exercise));
    this.offerHelp(exercise);
  }

  // Only who is in a class has an instructor to ask.
  offerHelp(exercise) {
    const { class: place } = this.course;
    const said = place ? String(place.help) : "";
    if (this.offered === said) return;
    this.offered = said;
    this.help.replaceChildren(...(place ? [helpButton(this.course, exercise?.stem, place.help)] : []));
  }

  // What was typed is what is checked: a cell that holds an answer is run.
  async check() {
    const source = this.cell.model.sharedModel.getSource();
    if (answerIn(source) === null) return this.show("check");
    this.says.textContent = "checking …";
    const { content, sessionContext } = this.panel;
    content.activeCellIndex = content.widgets.indexOf(this.cell);
    content.deselectAll();
    await this.jupyter.notebook.NotebookActions.run(content, sessionContext);
    await this.course.refresh();
    this.sayVerdict();
  }

  // Runs a command of the course in the notebook's kernel, and shows what it says right here.
  async show(command) {
    const { sessionContext } = this.panel;
    await sessionContext.ready;
    if (!sessionContext.session?.kernel) {
      this.says.textContent = "no kernel: choose one above";
      return;
    }
    this.says.textContent = `${command} …`;
    const code = `__import__("trainer").${command}("${this.name}")`;
    try {
      await this.jupyter.outputarea.OutputArea.execute(code, this.outputs(), sessionContext, {});
    } catch {
      // What went wrong stands in the output.
    }
    await this.course.refresh();
    this.sayVerdict();
  }

  outputs() {
    const { OutputArea, OutputAreaModel } = this.jupyter.outputarea;
    this.area?.dispose();
    this.area = new OutputArea({
      model: new OutputAreaModel({ trusted: true }),
      rendermime: this.panel.content.rendermime,
    });
    this.area.addClass("taxi-said");
    const place = this.cell.layout.widgets.indexOf(this.widget);
    this.cell.layout.insertWidget(place + 1, this.area);
    const close = button("×", "Close", () => this.area.dispose());
    close.className = "taxi-close";
    this.area.node.prepend(close);
    return this.area;
  }

  async reset() {
    const { Dialog, showDialog } = this.jupyter.apputils;
    const answer = await showDialog({
      title: `Reset ${this.name}?`,
      body: "The exercise is put back as it was issued. What you wrote is kept in a file.",
      buttons: [Dialog.cancelButton(), Dialog.warnButton({ label: "Reset" })],
    });
    if (!answer.button.accept) return;
    const cell = answerIn(this.cell.model.sharedModel.getSource());
    try {
      const { text, kept } = await this.course.reset(this.name, cell);
      if (cell !== null) this.cell.model.sharedModel.setSource(`%%exercise ${this.name}\n${text}`);
      this.says.textContent = kept.length ? `what you wrote is in ${kept.join(" and ")}` : "reset";
    } catch (error) {
      this.says.textContent = error.message;
    }
  }
}
