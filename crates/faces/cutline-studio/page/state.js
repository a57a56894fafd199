// What the page knows, and what can be done.

import { derived, effect, signal } from './core/reactive.js';
import { exactly, pinned, toggled } from './pins.js';
import { tidy, withPins, withSearch } from './spec.js';
import { wire } from './wire.js';

export const state = {
  /** Where in the page: table, columns, result, compare, publish. */
  step: signal('table'),
  start: signal(null),
  /** The columns of the open table. */
  opened: signal(null),
  spec: signal(null),
  /** What was found for which spec. */
  result: signal(null),
  /** What takes longer to find out of the same result. */
  looks: signal(null),
  models: signal(null),
  /** What a click on the line does: move it, or pin what is there so that it must stay (`open`) or not be refined (`closed`). */
  clicks: signal('move'),
  /** Lines that were moved by hand, by attribute, and what that comes to. */
  lines: signal({}),
  tried: signal(null),
  /** Results that are kept to be compared. */
  kept: signal([]),
  published: signal(null),
  /** The attribute whose taxonomy is edited. */
  editing: signal(null),
  /** What is being done, and how far it is. */
  busy: signal(null),
  fault: signal(null),
};

export const spec = state.spec;

/** Is there anything to search for? */
export const ready = derived(() => (spec.value?.qid ?? []).some((qid) => qid.attributes.length > 0));

effect(() => { if (spec.value !== null) sessionStorage.setItem('spec', JSON.stringify(spec.value)); });

let work = 0;

/** Shows how far something is while it is done. What a newer piece of work stopped is no fault. */
async function during(what, task) {
  const own = work += 1;
  state.fault.value = null;
  const shown = setTimeout(() => watch(own, what), 250);
  try {
    return await task();
  } catch (fault) {
    if (!fault.superseded && own === work) state.fault.value = { text: fault.message, hint: fault.hint };
    return undefined;
  } finally {
    clearTimeout(shown);
    if (own === work) state.busy.value = null;
  }
}

async function watch(own, what) {
  while (own === work) {
    state.busy.value = { what, ...(state.busy.peek() ?? {}) };
    try {
      const { stage, share, steps } = await wire.progress();
      if (own !== work || state.busy.peek() === null) return;
      state.busy.value = { what, stage, share, steps };
    } catch {
      return;
    }
    await new Promise((later) => setTimeout(later, 150));
    if (state.busy.peek() === null) return;
  }
}

export const act = {
  async begin() {
    state.start.value = await during('looking', () => wire.start()) ?? null;
    const opening = state.start.peek()?.opening;
    // A tab that is loaded again goes on where it was.
    const kept = JSON.parse(sessionStorage.getItem('spec') ?? 'null');
    if (kept?.input?.path) await act.open(kept.input.path, kept);
    else if (opening) await act.open(opening);
  },

  /** Opens a table, a spec or a release; what is said of a new table says how to read it. */
  async open(path, asked, isNew = false) {
    const opened = await during('reading the table', () => wire.open(path, asked, isNew));
    if (!opened) return;
    forget();
    state.kept.value = [];
    state.published.value = null;
    state.opened.value = opened;
    spec.value = opened.spec;
    state.step.value = 'columns';
  },

  /** A table or a query of a server. */
  openServer: (address, input) => act.open(address, { input: { path: address, ...input } }, true),

  async openText(text) {
    const read = await during('reading the spec', () => wire.readSpec(text));
    if (read) await act.open(read.input.path ?? '', read);
  },

  async drop(file) {
    if (file.name.endsWith('.toml')) return act.openText(await file.text());
    const path = await during('taking the file', () => wire.drop(file));
    return path ? act.open(path) : undefined;
  },

  /** Changes the spec; if a result is shown, it follows. */
  change(next) {
    spec.value = next;
    if (state.step.peek() === 'result') act.search();
  },

  go(step) {
    state.step.value = step;
    if (step === 'result' && state.result.peek()?.spec !== spec.peek()) act.search();
  },

  async search() {
    const asked = spec.peek();
    if (!ready.peek()) {
      forget();
      return;
    }
    state.lines.value = {};
    state.tried.value = null;
    const view = await during('searching', () => wire.search(tidy(asked)));
    if (!view) return;
    if (spec.peek() !== asked) return;
    state.result.value = { spec: asked, view, whole: whole(asked, view) };
    state.looks.value = null;
    state.models.value = null;
    act.look();
  },

  /** What columns give away, and why everything is masked: after the picture, not before it. */
  async look() {
    const of = state.result.peek();
    try {
      const looks = await wire.looks();
      if (state.result.peek() === of) state.looks.value = looks;
    } catch (fault) {
      if (!fault.superseded && state.result.peek() === of) state.looks.value = { failed: fault.message };
    }
  },

  async learn() {
    const of = state.result.peek();
    const models = await during('learning from the records', () => wire.models());
    if (models && state.result.peek() === of) state.models.value = models;
  },

  async move(attribute, line) {
    const lines = { ...state.lines.peek(), [attribute]: line };
    state.lines.value = lines;
    const tried = await during('looking at the line', () => wire.tryLines(lines));
    if (tried && state.lines.peek() === lines) state.tried.value = tried;
    if (!tried && state.lines.peek() === lines) act.takeBack();
    if (state.looks.peek() === null) act.look();
  },

  /** Pins a node, a bound or a value as it is, or unpins it. */
  pin(name, what) {
    act.change(withPins(spec.peek(), name, toggled(what, spec.peek().attributes[name])));
  },

  /** The line through one attribute stays exactly where it is. */
  pinLine(attribute) {
    act.change(withPins(spec.peek(), attribute.name, exactly(attribute)));
  },

  /** What was moved stays so; the search does the rest. */
  pinMoved() {
    const found = state.result.peek().view.attributes;
    const moved = Object.entries(state.lines.peek());
    act.change(moved.reduce((next, [name, line]) => {
      const attribute = found.find((one) => one.name === name);
      return withPins(next, name, pinned(attribute, line, next.attributes[name]));
    }, spec.peek()));
  },

  /** The line stays exactly where it is. */
  pinAll() {
    act.change(state.tried.peek().attributes.reduce((next, attribute) => withPins(next, attribute.name, exactly(attribute)), spec.peek()));
  },

  takeBack() {
    state.lines.value = {};
    state.tried.value = null;
  },

  keep() {
    const result = state.result.peek();
    if (result && !state.kept.peek().some((kept) => kept.spec === result.spec)) state.kept.value = [...state.kept.peek(), result];
  },

  drop_kept(result) {
    state.kept.value = state.kept.peek().filter((other) => other !== result);
  },

  choose(result) {
    spec.value = result.spec;
    state.result.value = result;
    act.go('result');
    act.search();
  },

  /** Searches for several specs and keeps what is found. */
  async compare(specs) {
    for (const one of specs) {
      if (state.kept.peek().some((kept) => JSON.stringify(kept.spec) === JSON.stringify(one))) continue;
      const view = await during('comparing', () => wire.search(tidy(one)));
      if (!view) return;
      state.kept.value = [...state.kept.peek(), { spec: one, view, whole: whole(one, view) }];
    }
  },

  async publish(folder, replace) {
    const published = await during('publishing', () => wire.publish(tidy(spec.peek()), folder, replace));
    if (published) state.published.value = published;
  },

  async stop() {
    await wire.stop().catch(() => {});
  },

  async quit() {
    await wire.quit().catch(() => {});
    document.body.replaceChildren(Object.assign(document.createElement('p'), { className: 'over', textContent: 'The studio has ended. You can close this tab.' }));
  },
};

/** A search that was stopped after some steps knows how many there are in all. */
function whole(asked, view) {
  if (asked.search?.max_steps === undefined) return { steps: view.steps, of: withSearch(asked, { max_steps: undefined }) };
  const before = state.result.peek()?.whole;
  return before && JSON.stringify(before.of) === JSON.stringify(withSearch(asked, { max_steps: undefined })) ? before : undefined;
}

function forget() {
  state.result.value = null;
  state.looks.value = null;
  state.models.value = null;
  act.takeBack();
}
