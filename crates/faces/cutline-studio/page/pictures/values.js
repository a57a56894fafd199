// Names without a taxonomy: each is told, or hidden behind *.

import { h } from '../core/dom.js';
import { brief, counted } from '../core/format.js';

const FEW = 18;

/** What a click on a value does, if anything: tells or hides it, or pins it as it is. */
function action({ label, told: isTold }, told, { clicks, pins, pin, move }) {
  if (clicks === 'move') return { does: () => move({ told: isTold ? told.filter((other) => other !== label) : [...told, label] }), done: isTold };
  if (clicks === 'open') return isTold ? { does: () => pin({ open: label }), done: pins.open.includes(label) } : null;
  return isTold ? null : { does: () => pin({ closed: label }), done: pins.closed.includes(label) };
}

/** Values; `move` is told which are told now, `pin` what is to be pinned. */
export function values(picture, options) {
  const { name, open, toggle, pins, records } = options;
  const { values: all, more, told, masked } = picture;
  const shown = open ? all : all.slice(0, FEW);
  const chip = (value) => {
    const click = action(value, told, options);
    const mark = pins.open.includes(value.label) ? '↓' : pins.closed.includes(value.label) ? '✕' : null;
    return h('button', {
      type: 'button', class: `value ${value.told ? 'told' : 'hidden-value'}`, 'aria-disabled': click === null ? 'true' : undefined, 'aria-pressed': click === null ? undefined : String(click.done),
      title: `${value.label}: ${counted(value.records, 'record')}`,
      data: { key: `${name}/${value.label}` },
      on: { click: () => click?.does() },
    }, mark ? h('span', { class: 'pin' }, mark, h('span', { class: 'aloud' }, 'pinned')) : null, h('span', { class: 'label' }, value.label), h('span', { class: 'records' }, brief(value.records)), h('span', { class: 'aloud' }, value.told ? 'records, told' : 'records, hidden'));
  };
  const rest = all.length - shown.length + more;
  return h('div', { class: 'values' },
    h('p', { class: 'legend-line' }, masked > 0 ? `${counted(masked, 'record')} of ${brief(records)} show * instead of a value` : 'every value is told'),
    h('div', { class: 'value-list' }, shown.map(chip)),
    rest > 0 || open ? h('button', { type: 'button', class: 'quiet', 'aria-expanded': String(open), on: { click: toggle } },
      open ? 'Show fewer' : `Show more (${counted(rest, 'value')})`) : null);
}
