// Which cells are exercises: those that begin with %exercise or %%exercise and a name.

const FIRST_LINE = /^(?:\s*#[^\n]*\n)*\s*%%?exercise[ \t]+(\w+)[^\n]*\n?/;

// Names the exercise in a cell, as the cell says it; nothing where there is none.
export function nameIn(source) {
  return FIRST_LINE.exec(source)?.[1];
}

// Gives a cell's answer: what comes below `%%exercise`; nothing where the cell only asks for it.
export function answerIn(source) {
  return /^\s*%%exercise/.test(source) ? source.replace(FIRST_LINE, "") : null;
}

// Gives the place of an exercise in a notebook: of its answer, or else of the cell that asks for it.
export function placeOf(exercise, notebook, course) {
  const sources = notebook.widgets.map((cell) => cell.model.sharedModel.getSource());
  const holds = (source) => course.find(nameIn(source)) === exercise;
  const places = [...sources.keys()].filter((index) => holds(sources[index]));
  return places.find((index) => answerIn(sources[index]) !== null) ?? places[0] ?? -1;
}
