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
  const options = () => ({
    name, records, open: open.value, toggle: () => { open.value = !open.peek(); }, move: (line) => act.move(name, line),
    clicks: pinnable() ? state.clicks.value : 'move', pins: pinsOf(name), pin: (what) => act.pin(name, what),
  });
  return h('article', { class: `card ${attribute.picture.is}${moved ? ' moved' : ''}`, 'aria-label': name },
    h('header', null, h('h3', null, name),
      h('span', { class: 'meter', title: `Detail lost: ${percent(attribute.loss)}` }, h('span', { style: { width: `${100 * (1 - attribute.loss)}%` } })),
      pinnable() && state.tried.value === null ? h('button', { type: 'button', class: 'quiet small', 'aria-label': `Pin it: the line through ${name}`, title: 'The line through this attribute stays exactly where it is', on: { click: () => act.pinLine(attribute) } }, 'Pin it') : null,
      h('small', null, attribute.top ? 'nothing is told' : `${counted(attribute.labels, 'label')} of ${counted(attribute.values, 'value')}`, `; ${percent(1 - attribute.loss)} of the detail is left`)),
    live(() => pictures[attribute.picture.is](attribute.picture, options())),
    attribute.missing ? h('p', { class: 'legend-line' }, `${count(attribute.missing.records)} records lack a value, which ${attribute.missing.published ? 'can be told' : 'cannot be told'}`) : null,
    why(name));
}

/** What is pinned of an attribute. */
const pinsOf = (name) => ({ open: [], closed: [], ...state.result.value.spec.attributes[name] });

/** Can the search of a result be told what to leave alone? */
const pinnable = () => {
  const { search } = state.result.value.spec;
  return !search?.local && [undefined, 'refine', 'tdr', 'tds'].includes(search?.algorithm);
};

const CLICKS = [['move', 'Move the line'], ['open', 'Pin: must stay'], ['closed', 'Pin: not refined']];

const MEANING = {
  move: 'What is above the line is published. Click a node or a bound to open or close it.',
  open: 'Click a node, a bound or a value that is told: it stays told, whatever else the search does.',
  closed: 'Click a node, an interval or a hidden value: no more is told of it, whatever else the search does.',
};

/** What a click on the line does. */
export const clicks = () => (pinnable()
  ? [h('div', { class: 'segments', role: 'group', 'aria-label': 'What a click on the line does' }, CLICKS.map(([what, title]) => h('button', {
    type: 'button', 'aria-pressed': String(state.clicks.value === what), data: { key: `clicks-${what}` }, on: { click: () => { state.clicks.value = what; } },
  }, title))), h('p', { class: 'lead' }, MEANING[state.clicks.value])]
  : h('p', { class: 'lead' }, state.result.value.spec.search?.local ? 'With local refinement each group tells as much as it may: this is the finest line of all groups.' : MEANING.move));

/** The attributes as they are, or as they would be with the line where somebody moved it. */
export function cards() {
  const view = state.result.value.view;
  const shown = state.tried.value ?? view;
  return h('div', { class: 'cards' }, shown.attributes.map((attribute) => card(attribute, view.records)));
}
