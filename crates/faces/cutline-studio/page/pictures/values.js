// Names without a taxonomy: each is told, or hidden behind *.

import { h } from '../core/dom.js';
import { brief, counted } from '../core/format.js';

const FEW = 18;

/** Values; `move` is told which are told now. */
export function values(picture, { name, open, toggle, move, records }) {
  const { values: all, more, told, masked } = picture;
  const shown = open ? all : all.slice(0, FEW);
  const chip = (value) => h('button', {
    type: 'button', class: `value ${value.told ? 'told' : 'hidden-value'}`, 'aria-pressed': String(value.told),
    title: `${value.label}: ${counted(value.records, 'record')}`,
    data: { key: `${name}/${value.label}` },
    on: { click: () => move({ told: value.told ? told.filter((other) => other !== value.label) : [...told, value.label] }) },
  }, h('span', { class: 'label' }, value.label), h('span', { class: 'records' }, brief(value.records)), h('span', { class: 'aloud' }, value.told ? 'records, told' : 'records, hidden'));
  const rest = all.length - shown.length + more;
  return h('div', { class: 'values' },
    h('p', { class: 'legend-line' }, masked > 0 ? `${counted(masked, 'record')} of ${brief(records)} show * instead of a value` : 'every value is told'),
    h('div', { class: 'value-list' }, shown.map(chip)),
    rest > 0 || open ? h('button', { type: 'button', class: 'quiet', 'aria-expanded': String(open), on: { click: toggle } },
      open ? 'Show fewer' : `Show more (${counted(rest, 'value')})`) : null);
}
