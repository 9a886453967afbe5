// The class that was joined: what the instructor says, and a button that asks for help.

import { button, element } from "./elements.js";

const TOLD = "taxi-streams:line";
const LONG = 15000;

// The part of the panel that is there for who is in a class.
export function classOf(course, { apputils }) {
  const place = course.class;
  if (!place) return [];
  tellNews(place, apputils);
  const { name, help, lines, unknown, off } = place;
  const there = unknown ? "The class knows you no more: join it again." : `You are ${name} in this class.`;
  const where = off ? "The instructor took you off the class; %class join … joins again." : there;
  const said = lines.length
    ? [element("p", { className: "taxi-line", role: "status" }, `Instructor: ${lines.at(-1).text}`)]
    : [];
  const ask = helpButton(course, null, help);
  ask.dataset.key = "help";
  return [element("h3", {}, "Class"), ...said, element("p", {}, where), ask];
}

export function helpButton(course, exercise, asked) {
  const [text, label] = asked
    ? ["I got on", "I got on: no help needed any more"]
    : ["ask for help", "Ask the instructor for help"];
  const made = button(text, label, async () => {
    made.disabled = true;
    try {
      made.title = (await course.askForHelp(exercise, !asked)).says;
    } catch (error) {
      made.title = error.message;
    } finally {
      made.disabled = false;
    }
  });
  return made;
}

// A line is announced once in each browser, over whatever is open.
function tellNews({ lines }, { Notification }) {
  const newest = lines.at(-1);
  if (!newest || Number(localStorage.getItem(TOLD)) === newest.number) return;
  localStorage.setItem(TOLD, newest.number);
  Notification?.info(`Your instructor: ${newest.text}`.slice(0, 140), { autoClose: LONG });
}
