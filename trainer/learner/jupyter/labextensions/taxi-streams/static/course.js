// The course as the server tells of it, kept fresh, and the requests that change it.

const EVERY = 3000;

export class Course {
  constructor({ coreutils, services }) {
    this.url = coreutils.URLExt;
    this.connection = services.ServerConnection;
    this.chapters = [];
    this.listeners = new Set();
  }

  address(name) {
    return this.url.join(this.connection.makeSettings().baseUrl, "taxi-streams", name);
  }

  // Calls back now and whenever something has changed; gives what ends that.
  onChange(tell) {
    this.listeners.add(tell);
    tell();
    return () => this.listeners.delete(tell);
  }

  // Finds an exercise as commands do: by ch04a_hourly_tips, hourly_tips, ch04a or 4a.
  find(name) {
    const known = this.chapters.flatMap((chapter) => chapter.exercises);
    return known.find(({ stem, place }) => {
      const [chapter, ...rest] = stem.split("_");
      return [stem, rest.join("_"), chapter, place].includes(name);
    });
  }

  chapterOf(exercise) {
    return this.chapters.find((chapter) => chapter.exercises.includes(exercise));
  }

  async request(name, init = {}) {
    const settings = this.connection.makeSettings();
    const answer = await this.connection.makeRequest(this.address(name), init, settings);
    if (!answer.ok) throw new Error(`The server answered ${answer.status} ${answer.statusText}.`);
    return answer;
  }

  async refresh() {
    const text = await (await this.request("course")).text();
    if (text === this.text) return;
    this.text = text;
    Object.assign(this, JSON.parse(text));
    this.listeners.forEach((tell) => tell());
  }

  // A check in a terminal, or an editor, changes verdicts too: look again, while one can see it.
  async watch() {
    if (!document.hidden) await this.refresh().catch(() => {});
    setTimeout(() => this.watch(), EVERY);
  }

  async reset(exercise, cell) {
    const body = JSON.stringify({ exercise, cell });
    const done = await (await this.request("reset", { method: "POST", body })).json();
    await this.refresh();
    return done;
  }

  // Asks the instructor of the class over, or says that it is not needed any more.
  async askForHelp(exercise, wanted) {
    const body = JSON.stringify({ exercise, wanted });
    const done = await (await this.request("help", { method: "POST", body })).json();
    await this.refresh();
    return done;
  }

  // Gives the doctor's findings one by one.
  async *doctor() {
    const answer = await this.request("doctor", { method: "POST", body: "{}" });
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split("\n");
      rest = lines.pop();
      yield* lines.map((line) => JSON.parse(line));
    }
  }
}
