// The live page: it listens, and draws what is new. The view for the wall has fewer parts.

import { onSubmit, post } from "./asking.js";
import { byId, element, prose, since, spoken } from "./elements.js";

const named = document.body.classList.contains("board");
const table = named ? await import("./rows.js") : null;
const state = byId("state");
// The board tells something every few seconds, be it only that nothing is new.
const SILENT = 15_000;
// What was just now, what is, and what comes.
const PARTS_ON_THE_WALL = 4;
const OPEN_ON_THE_WALL = 3;
// In pixels; and how many of the largest letters go into the width of a wall.
const [SMALLEST, LETTERS] = [11, 60];
let ahead = 0;
let heard = Date.now();

// The view for the wall may be opened by the code that stands on it, behind the address's ?.
const opened = named ? "" : location.search.replace("?", "&");
const events = new EventSource(`/live?view=${named ? "board" : "projector"}${opened}`);
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
  byId("handed-in").textContent = `${told.handed_in} of ${told.learners} handed in`;
  byId("handed-in").hidden = !told.handed_in;
  drawThrough(told);
  drawIdeas(told.ideas);
  drawPlan(told);
  const line = byId("line");
  if (line.textContent !== told.line) line.textContent = told.line;
  line.closest("p").hidden = !told.line;
  drawReleased(told.released);
  if (!named) return fit();
  table.drawRows(told);
  drawWho();
  drawPeople(told);
  table.growOlder(told.now);
  showChapter();
}

// Nobody scrolls a wall: letters are as large as they can be with all of it there.
function fit() {
  const { style } = document.body;
  style.fontSize = "";
  if (!matchMedia("(min-width: 800px)").matches) return;
  let [fits, large] = [SMALLEST, innerWidth / LETTERS];
  for (let size = large; large - fits > 0.25; size = (fits + large) / 2) {
    style.fontSize = `${size}px`;
    if (document.documentElement.scrollHeight > innerHeight) large = size;
    else fits = size;
  }
  style.fontSize = `${fits}px`;
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
  byId("through-nothing").hidden = document.querySelector(".bars [data-exercise]:not([hidden])") !== null;
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
  byId("ideas-nothing").hidden = lines.length > 0;
}

function drawPlan({ planned, at }) {
  const parts = byId("plan")?.querySelectorAll("li") ?? [];
  const first = Math.max(0, Math.min(planned - 1, parts.length - PARTS_ON_THE_WALL));
  parts.forEach((line, place) => {
    line.hidden = !named && (place < first || place >= first + PARTS_ON_THE_WALL);
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
  byId("released").textContent = (named ? open : open.slice(-OPEN_ON_THE_WALL)).join(", ") || "nothing";
  if (!named) byId("opened").hidden = !open.length;
}

// Drawn anew only if it is another: somebody may be about to choose.
function drawWho() {
  const who = byId("who");
  const options = table.everybody().map(({ number, name }) => new Option(name, number));
  const told = (some) => some.map((each) => `${each.value} ${each.text}`).join("\n");
  const chosen = who.value;
  if (told(options) === told([...who.options].slice(1))) return;
  who.replaceChildren(new Option("choose …", ""), ...options);
  who.value = options.some((each) => each.value === chosen) ? chosen : "";
}

async function takeOff() {
  const { value, text } = byId("who").selectedOptions[0];
  const sure = `Take ${text} off the class? What ${text} did is hidden here, in the counts and in the CSV; ` +
    "to join again brings it back. What was handed in stays in the folder.";
  if (!confirm(sure)) return;
  const { left } = await post("/off", { number: Number(value) });
  const stays = left ? ` What was handed in stays in the folder: ${left}.` : "";
  byId("off-told").textContent = `${text} is off the class.${stays}`;
}

function showChapter() {
  const chosen = byId("chapter").value;
  for (const each of document.querySelectorAll("#class [data-chapter]")) {
    each.hidden = Boolean(chosen) && each.dataset.chapter !== chosen;
  }
}

if (!named) window.addEventListener("resize", fit);
if (named) {
  byId("chapter").addEventListener("change", showChapter);
  onSubmit(byId("say"), state, async () => {
    await post("/say", { text: byId("text").value });
    byId("text").value = "";
  });
  onSubmit(byId("release"), state, (button) =>
    post("/release", { exercise: byId("which").value, kind: button.value }));
  onSubmit(byId("off"), byId("off-told"), takeOff);
  setInterval(() => table.growOlder(Date.now() / 1000 + ahead), 5000);
}
