// A column's values at a glance.

import { h, s } from '../core/dom.js';
import { count, date, number } from '../core/format.js';

/** Bars or names, with the same in words for who does not see them. */
export function sketch(column) {
  const { sketch: drawn } = column;
  if (drawn.is === 'numbers') return numbers(drawn);
  if (drawn.is === 'names') return names(drawn);
  return h('p', { class: 'sketch-none' }, 'values are not shown: they look like persons’');
}

function numbers({ low, high, bars, dates }) {
  const show = dates ? date : number;
  if (bars.length === 0) return h('p', { class: 'sketch-none' }, dates ? 'no dates' : 'no numbers');
  const most = Math.max(...bars);
  const label = `from ${show(low)} to ${show(high)}`;
  return h('figure', { class: 'sketch' },
    s('svg', { viewBox: `0 0 ${bars.length * 4} 40`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Distribution ${label}` },
      bars.map((bar, at) => s('rect', { x: at * 4 + 0.3, width: 3.4, y: 40 - height(bar, most), height: height(bar, most) }))),
    h('figcaption', null, h('span', null, show(low)), h('span', null, show(high))));
}

const height = (bar, most) => (bar === 0 ? 0 : 2 + (38 * bar) / most);

function names({ names: all, others }) {
  const total = all.reduce((sum, [, records]) => sum + records, others);
  const shown = all.slice(0, 4);
  const rest = others + all.slice(4).reduce((sum, [, records]) => sum + records, 0);
  const row = (name, records, kind) => h('li', { class: kind },
    h('span', { class: 'bar', style: { width: `${(100 * records) / Math.max(total, 1)}%` } }),
    h('span', { class: 'name', title: name }, name), h('span', { class: 'of' }, count(records)));
  return h('ul', { class: 'sketch names', 'aria-label': 'Most frequent values of the records drawn' },
    shown.map(([name, records]) => row(name, records, '')), rest > 0 ? row('others', rest, 'others') : null);
}
