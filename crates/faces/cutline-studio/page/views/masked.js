// How a masked column is masked: as intervals, as dates, value by value, or by a taxonomy.

import { h } from '../core/dom.js';
import { ofAttribute, roleOf } from '../spec.js';
import { act, spec, state } from '../state.js';
import { field, select } from './parts.js';

const WAYS = [['continuous', 'as intervals'], ['date', 'as dates'], ['categorical', 'value by value']];

/** What does not go with another way of masking. */
export const PLAIN = { kind: undefined, taxonomy: undefined, private: undefined, range: undefined, bins: undefined, round: undefined, clamp: undefined, date_format: undefined, age_at: undefined, open: undefined, closed: undefined };

const numbersIn = (text) => text.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? [];

/** A text that says something of a column; what makes no sense says nothing. */
function said(column, { label, key, note, show, read }) {
  const now = (spec.value.attributes[column.name] ?? {})[key];
  const text = h('input', { type: 'text', placeholder: note, value: now === undefined ? '' : show(now), data: { key: `${key}-${column.name}` } });
  text.addEventListener('change', () => {
    const value = text.value.trim() === '' ? undefined : read(text.value.trim());
    text.value = value === undefined ? '' : show(value);
    act.change(ofAttribute(spec.peek(), column.name, { [key]: value }));
  });
  return field(label, text);
}

const ascending = (numbers) => numbers.every((number, at) => at === 0 || numbers[at - 1] < number);
const pair = (text) => { const found = numbersIn(text); return found.length === 2 && ascending(found) ? found : undefined; };
const list = (text) => { const found = numbersIn(text); return found.length > 0 && ascending(found) ? found : undefined; };
const positive = (text) => (Number(text) > 0 ? Number(text) : undefined);

const RANGE = { label: 'Declared range', key: 'range', note: 'not told', show: (range) => range.join(' to '), read: pair };
const NUMBERS = [
  { label: 'Bounds to choose from', key: 'bins', note: 'any value, or 18, 30, 65', show: (bins) => bins.join(', '), read: list },
  { label: 'Bounds are multiples of', key: 'round', note: 'any value, or 1000', show: String, read: positive },
  { label: 'Not told apart beyond', key: 'clamp', note: 'all are, or 0 to 200000', show: (ends) => ends.join(' to '), read: pair },
];
const DATES = [
  { label: 'Written as', key: 'date_format', note: '%Y-%m-%d', show: String, read: (text) => (/%/.test(text) ? text : undefined) },
  { label: 'Publish the age at', key: 'age_at', note: 'the date itself', show: String, read: (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined) },
];

/** Which further cards are open, by column. */
const more = new Map();

function further(column, all) {
  const details = h('details', { class: 'further', open: more.get(column.name) ?? all.some(({ key }) => (spec.value.attributes[column.name] ?? {})[key] !== undefined) },
    h('summary', null, 'More'), all.map((one) => said(column, one)));
  details.addEventListener('toggle', () => more.set(column.name, details.open));
  return details;
}

/** How a column of a QID is masked. */
export function masked(column) {
  if (roleOf(spec.value, column.name) !== 'quasi') return null;
  const now = spec.value.attributes[column.name] ?? {};
  const kind = now.taxonomy ? 'taxonomy' : now.kind ?? column.kind;
  const ways = [...WAYS, ['taxonomy', now.taxonomy ? `by ${now.taxonomy}` : 'by a taxonomy …']];
  const choose = (chosen) => {
    if (chosen === 'taxonomy') state.editing.value = column.name;
    else act.change(ofAttribute(spec.peek(), column.name, { ...PLAIN, kind: chosen, range: chosen === 'continuous' ? now.range : undefined }));
  };
  const numbers = kind === 'continuous' || (kind === 'date' && now.age_at !== undefined);
  return h('div', { class: 'masked-how' }, field('Masked', select(kind, ways, choose, { data: { key: `kind-${column.name}` } })),
    kind === 'taxonomy' ? h('button', { type: 'button', class: 'quiet', on: { click: () => { state.editing.value = column.name; } } }, 'Edit the taxonomy') : null,
    numbers ? said(column, RANGE) : null,
    kind === 'continuous' ? further(column, NUMBERS) : kind === 'date' ? further(column, [...DATES, ...(numbers ? NUMBERS : [])]) : null);
}
