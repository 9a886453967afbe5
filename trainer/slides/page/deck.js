// Walks through slides; behind a question things come one by one, and so do micro-batches.
const root = document.documentElement;
const slides = [...document.querySelectorAll(".slide")];
const contents = document.getElementById("contents");
let now = 0;
root.classList.add("js");

function fit() {
  const scale = Math.min(innerWidth / 1024, innerHeight / 768);
  root.style.setProperty("--scale", scale);
  root.style.setProperty("--left", `${(innerWidth - 1024 * scale) / 2}px`);
  root.style.setProperty("--top", `${(innerHeight - 768 * scale) / 2}px`);
}

// A walk was made for a notebook: make it as large as the slide has room for.
function fitWalks(slide) {
  for (const box of slide.querySelectorAll(".piece.walk:not([data-scale])")) {
    const walk = box.firstElementChild;
    const scale = Math.min(1.3, 440 / walk.offsetHeight, 928 / walk.offsetWidth);
    walk.style.transform = `scale(${scale})`;
    box.style.height = `${Math.ceil(walk.offsetHeight * scale)}px`;
    box.dataset.scale = scale.toFixed(2);
  }
}

const steps = (slide) => [...slide.querySelectorAll(".waits, .walk input[type=radio]")];

// Takes the next step on a slide; says whether there was one.
function come(slide) {
  for (const step of steps(slide)) {
    if (step.matches("input")) {
      const all = [...slide.querySelectorAll(`input[name="${step.name}"]`)];
      if (all.indexOf(step) > all.findIndex((each) => each.checked)) return (step.checked = true);
    } else if (!step.classList.contains("come")) {
      step.classList.add("come");
      return true;
    }
  }
  return false;
}

function go(steps) {
  const slide = slides[now];
  if (steps > 0 && come(slide)) return;
  show(now + steps);
}

// Going back shows a slide as it was left; coming from before, as it begins.
function show(number, afresh = number > now) {
  now = Math.max(0, Math.min(slides.length - 1, number));
  slides.forEach((slide, place) => slide.classList.toggle("now", place === now));
  if (afresh) {
    slides[now].querySelectorAll(".waits").forEach((each) => each.classList.remove("come"));
    slides[now].querySelectorAll(".walk input:first-of-type").forEach((first) => (first.checked = true));
  }
  fitWalks(slides[now]);
  document.getElementById("place").textContent = `${now + 1} / ${slides.length}`;
  history.replaceState(null, "", `#s${now + 1}`);
}

function byHash() {
  contents.close();
  show(Number(location.hash.slice(2) || 1) - 1, true);
}

const keys = {
  ArrowRight: () => go(1), ArrowDown: () => go(1), PageDown: () => go(1), " ": () => go(1),
  ArrowLeft: () => go(-1), ArrowUp: () => go(-1), PageUp: () => go(-1),
  Home: () => show(0, true), End: () => show(slides.length - 1, true),
  n: () => root.classList.toggle("with-notes"),
  t: () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme:dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  },
  f: () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()),
  o: () => (contents.open ? contents.close() : contents.showModal()),
};

addEventListener("keydown", (event) => {
  const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const wanted = event.key.toLowerCase() === "o" || !contents.open;
  const button = event.target.matches("button, a") && event.key === " ";
  if (!act || !wanted || button || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
});
document.getElementById("back").onclick = () => go(-1);
document.getElementById("forward").onclick = () => go(1);
addEventListener("resize", fit);
addEventListener("hashchange", byHash);
fit();
byHash();
