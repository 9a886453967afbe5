// The live page: it listens, and draws what is new. The view for the wall has fewer parts.

import { onSubmit, post } from "./asking.js";
import { byId, element, prose, since, spoken } from "./elements.js";

const named = document.body.classList.contains("board");
const table = named ? await import("./rows.js") : null;
const state = byId("state");
// The board tells something every few seconds, be it only that nothing is new.
const SILENT = 15_000;
let ahead = 0;
let heard = Date.now();

const events = new EventSource(`/live?view=${named ? "board" : "projector"}`);
events.onmessage = (event) => draw(JSON.parse(event.data));
events.onerror = () => {
  lost();
  // A server that refuses is not asked again by the browser: the code may be another now.
  if (events.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 5000);
};

function lost() {
  state.className = "lost";
  state.textContent = "The board is out of reach; this page tries again by itself.";
}

setInterval(() => Date.now() - heard > SILENT && lost(), SILENT / 5);

function draw(told) {
  heard = Date.now();
  ahead = told.now - Date.now() / 1000;
  state.className = "";
  state.textContent = `${told.learners} learner${told.learners === 1 ? "" : "s"} · live`;
  state.dataset.told = told.now;
  drawThrough(told);
  drawIdeas(told.ideas);
  drawPlan(told);
  const line = byId("line");
  if (line.textContent !== told.line) line.textContent = told.line;
  if (!named) return;
  table.drawRows(told.rows, told.all, told.now);
  drawPeople(told);
  drawReleased(told.released);
  table.growOlder(told.now);
  showChapter();
}

function drawThrough({ through, learners }) {
  for (const cell of document.querySelectorAll("[data-through]")) {
    const { solved, tried } = through[cell.dataset.through] ?? { solved: 0, tried: 0 };
    const nobody = solved + tried === 0;
    if (named) {
      cell.textContent = nobody ? "" : `${solved}`;
      cell.title = `${solved} through, ${tried} at it, of ${learners}`;
    } else {
      cell.textContent = `${solved} of ${learners}`;
      cell.closest("[data-exercise]").hidden = nobody;
    }
  }
  for (const bar of document.querySelectorAll("[data-bar]")) {
    bar.max = Math.max(1, learners);
    bar.value = through[bar.dataset.bar]?.solved ?? 0;
  }
  if (named) return;
  for (const chapter of document.querySelectorAll(".bars > [data-chapter]")) {
    chapter.hidden = !chapter.querySelector("[data-exercise]:not([hidden])");
  }
}

function drawIdeas(ideas) {
  const lines = ideas.map(({ exercise, what, then, had, have }) => {
    const many = `${had} of us${have < had ? `, ${have || "nobody"} still` : ""}`;
    const more = named && then ? [element("div", { className: "then" }, ...prose(then))] : [];
    const bold = element("b", {}, ...prose(what));
    return element("li", {}, bold, ` (${spoken(exercise)}; ${many})`, ...more);
  });
  byId("ideas").replaceChildren(...lines);
  byId("ideas").closest("section").hidden = !named && !lines.length;
}

function drawPlan({ planned, at }) {
  byId("plan")?.querySelectorAll("li").forEach((line, place) => {
    line.classList.toggle("now", place === planned);
    if (place === planned) line.setAttribute("aria-current", "time");
    else line.removeAttribute("aria-current");
  });
  byId("at").textContent = at ? `Most are at ${spoken(at.exercise)} (${at.learners}).` : "";
}

function ago(at) {
  const made = element("span", {}, since(Date.now() / 1000 + ahead - at));
  made.dataset.since = at;
  made.dataset.words = "yes";
  return made;
}

function drawPeople({ help, stuck }) {
  const kept = document.activeElement?.dataset?.helped;
  byId("help-count").textContent = help.length || "";
  byId("stuck-count").textContent = stuck.length || "";
  byId("help").replaceChildren(...help.map(helpLine));
  byId("help-nobody").hidden = help.length > 0;
  byId("stuck-nobody").hidden = stuck.length > 0;
  byId("stuck").replaceChildren(...stuck.map(({ name, why, exercise, since: at }) => {
    const where = exercise ? `, ${spoken(exercise)}` : "";
    return element("li", {}, element("b", {}, name), `${where}, `, ago(at), ": ", ...prose(why));
  }));
  // What is drawn anew must not throw the keyboard out of its place.
  if (kept) document.querySelector(`[data-helped="${kept}"]`)?.focus();
}

function helpLine({ number, name, exercise, since: at }) {
  const where = exercise ? `, ${spoken(exercise)}` : "";
  const done = element("button", { type: "button" }, "Helped");
  done.dataset.helped = number;
  done.setAttribute("aria-label", `${name} was helped`);
  done.onclick = () => post("/helped", { number }).catch((error) => (state.textContent = error.message));
  return element("li", {}, element("span", {}, element("b", {}, name), `${where}, `, ago(at)), done);
}

function drawReleased(released) {
  const words = { hints: "hints", solution: "solution" };
  const open = Object.entries(released).flatMap(([kind, some]) =>
    some.map((stem) => `${words[kind]} of ${spoken(stem)}`));
  byId("released").textContent = open.join(", ") || "nothing";
}

function showChapter() {
  const chosen = byId("chapter").value;
  for (const each of document.querySelectorAll("#class [data-chapter]")) {
    each.hidden = Boolean(chosen) && each.dataset.chapter !== chosen;
  }
}

if (named) {
  byId("chapter").addEventListener("change", showChapter);
  onSubmit(byId("say"), state, async () => {
    await post("/say", { text: byId("text").value });
    byId("text").value = "";
  });
  onSubmit(byId("release"), state, (button) =>
    post("/release", { exercise: byId("which").value, kind: button.value }));
  setInterval(() => table.growOlder(Date.now() / 1000 + ahead), 5000);
}
