// Every masked attribute with its line, which can be moved.

import { h, live } from '../core/dom.js';
import { count, counted, percent } from '../core/format.js';
import { signal } from '../core/reactive.js';
import { intervals } from '../pictures/intervals.js';
import { tree } from '../pictures/tree.js';
import { values } from '../pictures/values.js';
import { act, state } from '../state.js';
import { why } from './why.js';

const pictures = { tree, intervals, values };

/** Which cards show more than fits, by attribute. They stay so when the line moves. */
const unfolded = new Map();

function unfoldedOf(name) {
  if (!unfolded.has(name)) unfolded.set(name, signal(false));
  return unfolded.get(name);
}

function card(attribute, records) {
  const { name } = attribute;
  const open = unfoldedOf(name);
  const moved = state.lines.value[name] !== undefined;
  const options = () => ({ name, records, open: open.value, toggle: () => { open.value = !open.peek(); }, move: (line) => act.move(name, line) });
  return h('article', { class: `card ${attribute.picture.is}${moved ? ' moved' : ''}`, 'aria-label': name },
    h('header', null, h('h3', null, name),
      h('span', { class: 'meter', title: `Detail lost: ${percent(attribute.loss)}` }, h('span', { style: { width: `${100 * (1 - attribute.loss)}%` } })),
      h('small', null, attribute.top ? 'nothing is told' : `${counted(attribute.labels, 'label')} of ${counted(attribute.values, 'value')}`, `; ${percent(1 - attribute.loss)} of the detail is left`)),
    live(() => pictures[attribute.picture.is](attribute.picture, options())),
    attribute.missing ? h('p', { class: 'legend-line' }, `${count(attribute.missing.records)} records lack a value, which ${attribute.missing.published ? 'can be told' : 'cannot be told'}`) : null,
    why(name));
}

/** The attributes as they are, or as they would be with the line where somebody moved it. */
export function cards() {
  const view = state.result.value.view;
  const shown = state.tried.value ?? view;
  return h('div', { class: 'cards' }, shown.attributes.map((attribute) => card(attribute, view.records)));
}
