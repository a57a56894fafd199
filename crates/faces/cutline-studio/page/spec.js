// A spec, changed: every function gives a new one and leaves the old one as it was.

const without = (object, key) => {
  const { [key]: _, ...rest } = object;
  return rest;
};

/** The attributes of all QIDs, in order of first mention. */
export const quasi = (spec) => [...new Set(spec.qid.flatMap((qid) => qid.attributes))];

/** Says something of an attribute; `undefined` takes back what was said. */
export function ofAttribute(spec, name, said) {
  let attribute = { ...(spec.attributes[name] ?? {}), ...said };
  for (const [key, value] of Object.entries(attribute)) if (value === undefined) attribute = without(attribute, key);
  const attributes = Object.keys(attribute).length > 0 ? { ...spec.attributes, [name]: attribute } : without(spec.attributes, name);
  return { ...spec, attributes };
}

/** The role of a column, as a page shows it. */
export function roleOf(spec, name) {
  const said = spec.attributes[name] ?? {};
  if (quasi(spec).includes(name)) return 'quasi';
  if (spec.purpose.target === name) return 'target';
  if (spec.person === name) return 'person';
  if (spec.weight === name) return 'weight';
  if (said.identifier === 'drop' || (said.role === 'identifier' && !said.identifier)) return 'drop';
  if (said.identifier === 'tokenize') return 'tokenize';
  return said.role === 'sensitive' ? 'sensitive' : 'other';
}

/** Gives a column a role. In a QID it joins the first one, unless it is in one already. */
export function withRole(spec, name, role) {
  let next = {
    ...spec,
    qid: spec.qid.map((qid) => ({ ...qid, attributes: qid.attributes.filter((other) => other !== name || role === 'quasi') })),
  };
  if (next.purpose.target === name && role !== 'target') next = withTarget(next, undefined);
  next = ofAttribute(next, name, {
    role: role === 'sensitive' ? 'sensitive' : role === 'drop' || role === 'tokenize' ? 'identifier' : undefined,
    identifier: role === 'drop' ? 'drop' : role === 'tokenize' ? 'tokenize' : undefined,
    keep: undefined,
    ...(role === 'quasi' ? {} : { open: undefined, closed: undefined }),
  });
  if (role === 'quasi' && !quasi(next).includes(name)) {
    const [first, ...others] = next.qid.length > 0 ? next.qid : [{ attributes: [], k: 10 }];
    next = { ...next, qid: [{ ...first, attributes: [...first.attributes, name] }, ...others] };
  }
  if (role === 'target') next = withTarget(next, name);
  next = withPersons(next, name, role);
  if (role !== 'sensitive') next = withoutConditions(next, name);
  return next;
}

/** Whose records they are, and how many persons each stands for. A column that no longer says whose is not published instead. */
function withPersons(spec, name, role) {
  let next = spec;
  for (const what of ['person', 'weight']) if (next[what] === name && role !== what) next = without(next, what);
  if (role === 'person' && next.person !== undefined && next.person !== name) next = ofAttribute(next, next.person, { role: 'identifier', identifier: 'drop' });
  return role === 'person' || role === 'weight' ? { ...next, [role]: name } : next;
}

/** Names what is to be predicted, or nothing. */
export function withTarget(spec, name, kind) {
  const purpose = name === undefined
    ? without(without(spec.purpose, 'target'), 'kind')
    : { ...without(without(spec.purpose, 'kind'), 'clusters'), target: name, ...(kind === 'regression' ? { kind } : { kind: 'classification' }) };
  return { ...spec, purpose };
}

/** Names how many clusters the table must still show, or that none are asked for. */
export function withClusters(spec, clusters) {
  const purpose = without(withTarget(spec, undefined).purpose, 'clusters');
  return { ...spec, purpose: clusters === undefined ? purpose : { ...purpose, clusters } };
}

/** The number of clusters that are asked for, if any are. */
export const clustersOf = (spec) => [spec.purpose.clusters ?? []].flat()[0];

/** The attribute that a condition is about. */
export const about = (condition) => condition.slice(condition.indexOf(':') + 1).split('=')[0];

const withoutConditions = (spec, name) => ({
  ...spec,
  conditions: (spec.conditions ?? []).filter((condition) => about(condition) !== name),
  qid: spec.qid.map((qid) => (qid.conditions ? { ...qid, conditions: qid.conditions.filter((condition) => about(condition) !== name) } : qid)),
});

export const withK = (spec, index, k) => ({ ...spec, qid: spec.qid.map((qid, at) => (at === index ? { ...qid, k } : qid)) });

export const withQid = (spec, index, attributes) => ({
  ...spec,
  qid: spec.qid.map((qid, at) => (at === index ? { ...qid, attributes } : qid)),
});

export const withBudget = (spec, share) => ({
  ...spec,
  suppress: share > 0 ? { ...spec.suppress, limit: `${Number((share * 100).toPrecision(6))}%` } : without(spec.suppress ?? {}, 'limit'),
});

/** The budget as a share. */
export function budget(spec) {
  const limit = spec.suppress?.limit;
  if (limit === undefined || limit === null) return 0;
  if (typeof limit === 'number') return limit;
  return limit.endsWith('%') ? Number(limit.slice(0, -1)) / 100 : Number(limit);
}

export const withSearch = (spec, said) => {
  const search = { ...spec.search, ...said };
  for (const [key, value] of Object.entries(search)) if (value === undefined) delete search[key];
  return { ...spec, search };
};

/** Says how values are read; `undefined` is what is usual. */
export const withInput = (spec, said) => {
  const input = { ...spec.input, ...said };
  for (const [key, value] of Object.entries(input)) if (value === undefined) delete input[key];
  return { ...spec, input };
};

/** Are the records on a server? */
export const isElsewhere = (spec) => spec.input.path?.includes('://') ?? false;

export const withOutput = (spec, said) => {
  const output = { ...spec.output, ...said };
  for (const [key, value] of Object.entries(output)) if (value === undefined || value === false) delete output[key];
  return { ...spec, output };
};

/** Says where the line through an attribute must be open or stay closed. */
export const withPins = (spec, name, { open = [], closed = [] }) => ofAttribute(spec, name, {
  open: open.length > 0 ? open : undefined,
  closed: closed.length > 0 ? closed : undefined,
});

/** Everything that is pinned: attribute, how, label. */
export const pinsOf = (spec) => Object.entries(spec.attributes).flatMap(([name, said]) => ['open', 'closed'].flatMap((how) => (said[how] ?? []).map((label) => ({ name, how, label }))));

export const withoutPin = (spec, { name, how, label }) => {
  const rest = spec.attributes[name][how].filter((other) => other !== label);
  return ofAttribute(spec, name, { [how]: rest.length > 0 ? rest : undefined });
};

/** QIDs without attributes say nothing. */
export const tidy = (spec) => ({ ...spec, qid: spec.qid.filter((qid) => qid.attributes.length > 0) });
