// Elements of a page; what learners wrote only ever gets into them as text.

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export const byId = (id) => document.getElementById(id);

const nameOf = {};
for (const each of document.querySelectorAll("[data-place]")) {
  nameOf[each.dataset.exercise] = each.dataset.place;
}

// An exercise as it is spoken of: 2b Rides and fares.
export const spoken = (stem) => nameOf[stem] ?? stem ?? "";

// A sentence of the course: what stands in backticks is code.
export function prose(text) {
  return text.split("`").map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

// How long ago something was, in the shortest words: 3m.
export function age(seconds) {
  if (seconds < 60) return "now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86400)}d`;
}

// The same in a sentence.
export function since(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return "just now";
  return minutes < 120 ? `for ${minutes} min` : `for ${Math.floor(minutes / 60)} h`;
}
