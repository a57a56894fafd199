// What can be moved beside a result: every change searches again.

import { h, live } from '../core/dom.js';
import { counted } from '../core/format.js';
import { untracked } from '../core/reactive.js';
import { budget, pinsOf, quasi, withBudget, withInput, withK, withOutput, withSearch, withoutPin } from '../spec.js';
import { act, spec, state } from '../state.js';
import { shareOf } from './columns.js';
import { BUDGETS, field, select, slider, thresholds, toggle } from './parts.js';

const ALGORITHMS = [
  ['', 'usual: refine, tdr for clusters and large tables'], ['refine', 'refine (our own)'], ['tdr', 'top-down refinement'], ['tds', 'top-down specialization'], ['bottom-up', 'bottom-up'], ['genetic', 'genetic'],
];

const MISSING = [['value', 'are a value like others'], ['drop', 'leave out records without a masked value'], ['complete', 'leave out records without any value'], ['error', 'are an error']];

let waiting;

/** A slider is moved through many values; only where it rests is searched for. */
function soon(next) {
  clearTimeout(waiting);
  waiting = setTimeout(() => act.change(next()), 40);
}

const attributes = () => {
  // What could be masked is what was, when the columns were looked at or since.
  const known = [...new Set([...quasi(state.opened.peek().spec), ...quasi(spec.value)])];
  return known.map((name) => toggle(name, quasi(spec.value).includes(name), (on) => act.change(switched(name, on)), { data: { key: `switch-${name}` } }));
};

/** An attribute that is switched off is not published at all: it is left out, or it would be published as it is. */
function switched(name, on) {
  const now = spec.peek();
  const { identifier: _, role: __, open: ___, closed: ____, ...rest } = now.attributes[name] ?? {};
  if (!on) {
    return { ...now, qid: now.qid.map((qid) => ({ ...qid, attributes: qid.attributes.filter((other) => other !== name) })), attributes: { ...now.attributes, [name]: { ...rest, role: 'identifier', identifier: 'drop' } } };
  }
  const home = state.opened.peek().spec.qid.findIndex((qid) => qid.attributes.includes(name));
  const at = home >= 0 && home < now.qid.length ? home : 0;
  const order = state.opened.peek().columns.map((column) => column.name);
  const joined = (qid) => [...qid.attributes, name].sort((one, other) => order.indexOf(one) - order.indexOf(other));
  return { ...now, qid: now.qid.map((qid, other) => (other === at ? { ...qid, attributes: joined(qid) } : qid)), attributes: { ...now.attributes, [name]: rest } };
}

/** Sliders are made once: who moves one must not lose it. */
const sliders = () => {
  const { records } = state.opened.peek();
  return [
    spec.peek().qid.map((qid, at) => slider({
      label: spec.peek().qid.length > 1 ? `k of set ${at + 1}` : 'k: records that look alike', key: `k-${at}`, values: thresholds(records), value: qid.k, show: (k) => String(k),
      parse: (text) => (Number.isInteger(Number(text)) && Number(text) >= 1 ? Number(text) : undefined),
      change: (k) => soon(() => withK(spec.peek(), at, k)),
    })),
    slider({ label: 'Records that may be hidden', key: 'budget', values: BUDGETS, value: budget(spec.peek()), show: (share) => `${Number((share * 100).toFixed(3))} %`, parse: shareOf, change: (share) => soon(() => withBudget(spec.peek(), share)) }),
  ];
};

/** What somebody said of the line. */
function pins() {
  const all = pinsOf(spec.value);
  if (all.length === 0) return null;
  return h('fieldset', null, h('legend', null, 'Pinned'),
    h('ul', { class: 'chips' }, all.map((pin) => h('li', null, h('b', null, pin.how === 'open' ? '↓ ' : '✕ '), `${pin.name}: ${pin.label} `,
      h('span', { class: 'aloud' }, pin.how === 'open' ? 'is open' : 'stays closed'),
      h('button', { type: 'button', class: 'x', 'aria-label': `Unpin ${pin.label} of ${pin.name}`, on: { click: () => act.change(withoutPin(spec.peek(), pin)) } }, '×')))),
    all.length > 1 ? h('button', { type: 'button', class: 'quiet', on: { click: () => act.change(all.reduce(withoutPin, spec.peek())) } }, 'Unpin all') : null);
}

/** The trace: how far the line has come. Stopping after a step is a result like any other. */
function trace() {
  const result = state.result.value;
  const all = result?.whole?.steps;
  if (!all || all.length === 0 || all[0].evaluations !== undefined) return null;
  const limit = spec.value.search?.max_steps;
  const now = Math.min(limit ?? all.length, all.length);
  const last = all[now - 1];
  const range = h('input', { type: 'range', min: '0', max: String(all.length), step: '1', value: String(now), 'aria-label': 'Steps of the search', 'aria-valuetext': `${now} of ${all.length}`, data: { key: 'steps' } });
  range.addEventListener('input', () => soon(() => withSearch(spec.peek(), { max_steps: Number(range.value) >= all.length ? undefined : Number(range.value) })));
  return h('fieldset', null, h('legend', null, 'Step by step'),
    h('div', { class: 'slider' }, h('span', { class: 'aside' }, `${now} of ${counted(all.length, 'step')}`), range),
    last ? h('p', { class: 'step' }, h('b', null, last.attribute), ': ', last.refined ?? last.generalized?.join(', '), ' → ', [last.into].flat().slice(0, 6).join(', '), [last.into].flat().length > 6 ? ' …' : '',
      h('small', null, `gain ${figure(last.gain)}, loss ${figure(last.loss)}; smallest group ${last.anonymity.join(' / ')}`)) : h('p', { class: 'step' }, 'Everything is masked.'),
    limit === undefined ? null : h('p', { class: 'step' }, 'The search stops here. ', h('button', { type: 'button', class: 'quiet', on: { click: () => act.change(withSearch(spec.peek(), { max_steps: undefined })) } }, 'Go to the end')));
}

const figure = (value) => Number(value.toPrecision(3)).toString();

/** What is set less often. */
const further = () => [
  live(() => field('Algorithm', select(spec.value.search?.algorithm ?? '', ALGORITHMS, (name) => act.change(withSearch(spec.peek(), { algorithm: name || undefined, max_steps: undefined })), { data: { key: 'algorithm' } }))),
  live(() => field('Local refinement', select(spec.value.search?.local ?? '', [['', 'one line for all records'], ['nested', 'nested: each group by itself'], ['free', 'free: own bounds for each group']], (local) => act.change(withSearch(spec.peek(), { local: local || undefined, flatten: undefined, algorithm: undefined, max_steps: undefined })), { data: { key: 'local' } }))),
  live(() => (spec.value.search?.local ? toggle('One label for a value again', spec.value.search.flatten === true, (on) => act.change(withSearch(spec.peek(), { flatten: on || undefined })), { data: { key: 'flatten' } }) : null)),
  live(() => toggle('Try several searches (slower)', spec.value.search?.tune === true, (on) => act.change(withSearch(spec.peek(), { tune: on || undefined, max_steps: undefined })), { data: { key: 'tune' } })),
  live(() => field('Missing values', select(spec.value.input.missing ?? 'value', MISSING, (missing) => act.change(withInput(spec.peek(), { missing: missing === 'value' ? undefined : missing })), { data: { key: 'missing' } }))),
  live(() => field('Values that a taxonomy lacks', select(spec.value.input.unknown ?? 'error', [['error', 'are an error'], ['root', 'are told as little as possible']], (unknown) => act.change(withInput(spec.peek(), { unknown: unknown === 'error' ? undefined : unknown })), { data: { key: 'unknown' } }))),
  live(() => field('Hidden records', select(spec.value.suppress?.how ?? 'mask', [['mask', 'are published as *'], ['drop', 'are left out']], (how) => act.change({ ...spec.peek(), suppress: { ...spec.peek().suppress, how } }), { data: { key: 'how' } }))),
  live(() => toggle('Random order', spec.value.output?.shuffle === true, (on) => act.change(withOutput(spec.peek(), { shuffle: on })), { data: { key: 'shuffle' } })),
  live(() => toggle('Bounds are no values', spec.value.output?.round_bounds === true, (on) => act.change(withOutput(spec.peek(), { round_bounds: on })), { data: { key: 'round' } })),
];

/** On a narrow page what is set less often is folded, so that the answer is in sight. */
const narrow = matchMedia('(max-width: 62rem)');
narrow.addEventListener('change', () => { for (const folded of document.querySelectorAll('.rest')) folded.open = !narrow.matches; });

const rest = () => h('details', { class: 'rest', open: !narrow.matches }, h('summary', null, 'Attributes, steps and more'),
  h('fieldset', { class: 'switches' }, h('legend', null, 'Masked attributes'), live(attributes)),
  live(trace),
  h('details', { class: 'panel-like' }, h('summary', null, 'More'), further()));

export const controls = () => h('div', { class: 'side controls' },
  h('fieldset', null, h('legend', null, 'Requirement'), live(() => {
    // Made anew only if there are other QIDs.
    const shape = spec.value.qid.length;
    return untracked(() => (shape >= 0 ? sliders() : null));
  })),
  live(pins),
  rest());
