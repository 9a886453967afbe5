// Elements of a page, made in a few words.

export function element(name, properties = {}, ...children) {
  const { role, data, aria, ...own } = properties;
  const made = Object.assign(document.createElement(name), own);
  if (role) made.setAttribute("role", role);
  Object.entries(aria ?? {}).forEach(([key, value]) => made.setAttribute(`aria-${key}`, value));
  Object.assign(made.dataset, data ?? {});
  made.append(...children);
  return made;
}

export function button(text, label, onclick) {
  return element("button", { type: "button", aria: { label }, onclick }, text);
}

// A verdict is told by its sign and its word; the colour only helps.
export function verdict(exercise) {
  const sign = element("span", { aria: { hidden: "true" } }, exercise.mark);
  const style = `color:var(--trainer-${exercise.colour})`;
  return element("span", { className: "taxi-verdict", style }, sign, ` ${exercise.verdict}`);
}
