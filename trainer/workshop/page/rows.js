// The table: a row for each learner; only what is new is drawn anew.

import { age, byId, element, since, spoken } from "./elements.js";

const MARKS = { untouched: "·", unfinished: "…", crashed: "!", wrong: "✗", correct: "✓" };
const FRESH = 60;
const body = byId("learners");
const stems = [...document.querySelectorAll("thead [data-exercise]")];
const rows = new Map();

export function drawRows({ rows: learners, all, off, now }) {
  if (all) {
    rows.clear();
    body.replaceChildren();
  }
  for (const learner of learners) drawRow(learner, now);
  for (const number of off) {
    rows.get(number)?.row.remove();
    rows.delete(number);
  }
  byId("nobody").hidden = rows.size > 0;
}

function drawRow(learner, now) {
  const name = element("th", { scope: "row", title: learner.name }, learner.name);
  const cells = stems.map((head) => cellOf(learner, head.dataset, now));
  const row = element("tr", {}, name, handedIn(learner), ...cells);
  const before = rows.get(learner.number);
  rows.set(learner.number, { row, name: learner.name, last: learner.last });
  if (before?.name === learner.name) return before.row.replaceWith(row);
  before?.row.remove();
  const sorted = [...rows.values()].filter((each) => each.row !== row);
  const after = sorted.sort(byName).find((each) => byName(each, learner) > 0);
  return body.insertBefore(row, after?.row ?? null);
}

const byName = (one, other) => one.name.localeCompare(other.name);

// Those who are in the table, in its order.
export const everybody = () =>
  [...rows].map(([number, { name }]) => ({ number, name })).sort(byName);

// The time of day, as it was agreed on in class; of another day, which.
function handedIn({ name, handed_in: at }) {
  const cell = element("td", { className: "handed-in" });
  if (!at) return cell;
  const when = new Date(at * 1000);
  const time = when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const today = when.toDateString() === new Date().toDateString();
  const day = when.toLocaleDateString([], { day: "numeric", month: "short" });
  cell.title = `${name} handed in: ${when.toLocaleString()}`;
  cell.append(element("span", { className: "mark", ariaHidden: "true" }, "↑"), ` ${today ? time : day}`);
  return cell;
}

function cellOf(learner, { exercise, chapter }, now) {
  const cell = element("td");
  cell.dataset.chapter = chapter;
  const found = learner.cells[exercise];
  if (!found) return cell;
  cell.className = `${found.verdict}${found.solved && found.verdict !== "correct" ? " solved" : ""}`;
  const checks = `${found.checks} check${found.checks === 1 ? "" : "s"}`;
  const before = found.solved && found.verdict !== "correct" ? "Solved before. " : "";
  cell.title = `${learner.name}, ${spoken(exercise)}: ${found.verdict}, ${checks}. ${before}${found.rule}`;
  const told = element("span", { className: "age" });
  told.dataset.since = found.since;
  told.textContent = age(now - found.since);
  const mark = element("span", { className: "mark" }, MARKS[found.verdict] ?? "?");
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", found.verdict);
  cell.append(mark, " ", told);
  return cell;
}

// Time goes on where nothing happens, too.
export function growOlder(now) {
  for (const each of document.querySelectorAll("[data-since]")) {
    const words = each.dataset.words ? since : age;
    const told = words(now - Number(each.dataset.since));
    if (each.textContent !== told) each.textContent = told;
  }
  for (const { row, last } of rows.values()) row.classList.toggle("fresh", now - last < FRESH);
}
