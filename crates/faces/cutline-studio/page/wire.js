// What is asked of the program that serves this page. Every path is relative, so it carries the token.

/** Two tabs have two sessions; a tab that is loaded again keeps its own. */
const session = (() => {
  const kept = sessionStorage.getItem('session');
  const own = kept ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);
  sessionStorage.setItem('session', own);
  return own;
})();

/** An answer that says what went wrong. */
export class Fault extends Error {
  constructor({ error, hint, superseded }) {
    super(error);
    this.hint = hint;
    this.superseded = superseded === true;
  }
}

async function answered(response) {
  const kind = response.headers.get('content-type') ?? '';
  const body = kind.startsWith('application/json') ? await response.json() : { error: await response.text() };
  if (!response.ok || body?.superseded) throw new Fault(body.error ? body : { error: `the studio answered ${response.status}` });
  return body;
}

async function fetched(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    throw new Fault({ error: 'the studio does not answer', hint: 'it was ended; start it again with cutline studio' });
  }
}

const post = async (path, body) => answered(await fetched(path, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body ?? {}),
}));

export const wire = {
  start: async () => answered(await fetched('api/start')),
  progress: async () => answered(await fetched(`api/${session}/progress`)),
  quit: () => post('api/quit'),
  stop: () => post(`api/${session}/stop`),
  open: (path, spec, isNew = false) => post(`api/${session}/open`, { path, spec, new: isNew }),
  search: (spec) => post(`api/${session}/search`, { spec }),
  looks: () => post(`api/${session}/looks`),
  models: () => post(`api/${session}/models`),
  tryLines: (lines) => post(`api/${session}/try`, { lines }),
  publish: (spec, folder, replace) => post(`api/${session}/publish`, { spec, folder, replace }),
  report: `api/${session}/report`,
  readSpec: (text) => post('api/spec/read', { text }),
  writeSpec: (spec, folder) => post('api/spec/write', { spec, folder }),
  proposeTaxonomy: (asked) => post(`api/${session}/taxonomy`, asked),
  readTaxonomy: (at) => post('api/taxonomy/read', at),
  writeTaxonomy: (tree, how) => post('api/taxonomy/write', { tree, how }),
  saveTaxonomy: (tree, name, replace) => post('api/taxonomy/save', { tree, name, replace }),
  drop: async (file) => answered(await fetched(`api/drop?name=${encodeURIComponent(file.name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  })),
};
