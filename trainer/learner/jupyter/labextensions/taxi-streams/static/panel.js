// The course panel in the left sidebar: chapters, exercises with their verdicts, next, doctor.

import { classOf } from "./class.js";
import { button, element, verdict } from "./elements.js";
import { placeOf } from "./cells.js";

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24">
<path class="jp-icon3" fill="#616161" d="M5 11l1.5-4.5h11L19 11m-1.5 5a1.5 1.5 0 1 1 0-3 1.5 1.5 0 0 1
0 3m-11 0a1.5 1.5 0 1 1 0-3 1.5 1.5 0 0 1 0 3M18.9 6c-.2-.6-.8-1-1.4-1H15V3H9v2H6.500c-.7 0-1.200.4-1.400
1L3 12v8c0 .6.4 1 1 1h1c.6 0 1-.4 1-1v-1h12v1c0 .6.4 1 1 1h1c.6 0 1-.4 1-1v-8z"/></svg>`;

export function makePanel(app, jupyter, course) {
  const { ui, widgets } = jupyter;
  const panel = new widgets.Widget({ node: element("section", { aria: { label: "Course" } }) });
  panel.id = "taxi-streams-course";
  panel.addClass("taxi-panel");
  panel.title.caption = "Course: chapters and exercises";
  panel.title.icon = new ui.LabIcon({ name: "taxi-streams:taxi", svgstr: ICON });

  const open = (exercise) => openExercise(app, course, exercise);
  const next = element("div", { className: "taxi-next" });
  const chapters = element("div");
  const place = element("section", { className: "taxi-class" });
  panel.node.append(element("h2", {}, "Course"), next, place, chapters, makeDoctor(course));
  course.onChange(() => {
    const kept = document.activeElement?.dataset?.key;
    next.replaceChildren(...nextOf(course, open));
    place.replaceChildren(...classOf(course, jupyter));
    chapters.replaceChildren(...course.chapters.map((chapter) => chapterOf(app, chapter, open)));
    // What is drawn anew must not throw the keyboard out of its place.
    if (kept) panel.node.querySelector(`[data-key="${CSS.escape(kept)}"]`)?.focus();
  });
  return panel;
}

function nextOf(course, open) {
  if (!course.chapters.length) return ["Looking at the exercises …"];
  const exercise = course.find(course.next);
  if (!exercise) return ["All exercises are solved."];
  const go = button(`Next: ${exercise.place} ${exercise.title}`, "", () => open(exercise));
  go.removeAttribute("aria-label");
  go.dataset.key = "next";
  return [go];
}

function chapterOf(app, chapter, open) {
  const path = chapter.notebook;
  const show = () => app.commands.execute("docmanager:open", { path });
  const title = element("a", { href: "#", onclick: follow(show) }, `${chapter.number} ${chapter.title}`);
  title.dataset.key = path;
  const solved = chapter.exercises.filter((e) => e.solved).length;
  const count = chapter.exercises.length ? `${solved} of ${chapter.exercises.length}` : "";
  const lines = chapter.exercises.map((exercise) => {
    const name = `${exercise.place} ${exercise.title}`;
    const link = element("a", { href: "#", onclick: follow(() => open(exercise)) }, name);
    link.dataset.key = exercise.stem;
    return element("li", { data: { exercise: exercise.stem } }, link, verdict(exercise));
  });
  const heading = element("h3", {}, title, element("span", { className: "taxi-count" }, count));
  return element("section", {}, heading, ...(lines.length ? [element("ul", {}, ...lines)] : []));
}

function follow(act) {
  return (event) => {
    event.preventDefault();
    act();
  };
}

async function openExercise(app, course, exercise) {
  const path = course.chapterOf(exercise).notebook;
  const { content, revealed } = await app.commands.execute("docmanager:open", { path });
  await revealed;
  const place = placeOf(exercise, content, course);
  if (place < 0) return;
  content.activeCellIndex = place;
  content.deselectAll();
  await content.scrollToItem(place, "start");
  content.activate();
  // What lies above it may have grown while it was drawn.
  await content.widgets[place].ready;
  requestAnimationFrame(() => content.widgets[place].node.scrollIntoView({ block: "start" }));
}

function makeDoctor(course) {
  const lines = element("ul", { className: "taxi-doctor", role: "log", aria: { label: "Doctor" } });
  const ask = button("Doctor", "Doctor: check this machine", async () => {
    ask.disabled = true;
    lines.replaceChildren(element("li", {}, "Checking this machine …"));
    try {
      for await (const { name, verdict: word, says } of course.doctor()) {
        const line = element("li", {}, element("b", {}, `${word} · ${name}`), ` ${says}`);
        lines.insertBefore(line, lines.lastChild);
      }
      lines.lastChild.remove();
    } catch (error) {
      lines.lastChild.textContent = String(error.message);
    } finally {
      ask.disabled = false;
    }
  });
  return element("section", { className: "taxi-care" }, ask, lines);
}
