// Values that are watched: whoever reads one while it works is run again when it changes.

let running = null;
const waiting = new Set();

function flush() {
  const due = [...waiting];
  waiting.clear();
  for (const one of due) if (one.alive) one.run();
}

/** A value that is watched. */
export function signal(value) {
  const readers = new Set();
  return {
    get value() {
      if (running) {
        readers.add(running);
        running.sources.add(readers);
      }
      return value;
    },
    set value(next) {
      if (Object.is(next, value)) return;
      value = next;
      if (readers.size > 0 && waiting.size === 0) queueMicrotask(flush);
      for (const reader of readers) waiting.add(reader);
    },
    /** The value, without being told of changes. */
    peek: () => value,
  };
}

function end(one) {
  one.alive = false;
  forget(one);
}

function forget(one) {
  for (const readers of one.sources) readers.delete(one);
  one.sources.clear();
  for (const inner of one.inner) end(inner);
  one.inner.clear();
}

/** Works now, and again whenever something changes that it read. What it began inside ends before. */
export function effect(work) {
  const self = {
    alive: true,
    sources: new Set(),
    inner: new Set(),
    run() {
      forget(self);
      const before = running;
      running = self;
      try {
        work();
      } finally {
        running = before;
      }
    },
  };
  running?.inner.add(self);
  self.run();
  return () => end(self);
}

/** A value that follows from others. */
export function derived(compute) {
  const result = signal(undefined);
  effect(() => { result.value = compute(); });
  return result;
}

/** Reads without being told of changes. */
export function untracked(work) {
  const before = running;
  running = null;
  try {
    return work();
  } finally {
    running = before;
  }
}
