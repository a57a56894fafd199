// Numbers: the raw values as bars, the published intervals as bands over them.

import { h, s, unique } from '../core/dom.js';
import { counted, number, percent } from '../core/format.js';

/** Intervals; `move` is told the new bounds. */
export function intervals(picture, { name, move, records }) {
  const { low, high, bars, cuts, intervals: all, whole } = picture;
  const span = high - low || 1;
  const at = (value) => (100 * (value - low)) / span;
  const most = Math.max(...bars, 1);
  const edges = [low, ...cuts, high];
  const field = unique('bound');
  const add = (value) => {
    if (Number.isFinite(value) && value > low && value < high && !cuts.includes(value)) move({ cuts: [...cuts, value].sort((a, b) => a - b) });
  };
  const bands = cuts.length === 0 && all.length === 1 && all[0].label === '*' ? [] : all;
  return h('div', { class: 'intervals' },
    h('div', { class: 'plot' },
      s('svg', { viewBox: '0 0 100 100', preserveAspectRatio: 'none', role: 'img', 'aria-label': `Distribution of ${name} from ${number(low)} to ${number(high)} in ${counted(all.length, 'interval')}` },
        bands.map((_, index) => s('rect', { class: index % 2 === 0 ? 'band even' : 'band odd', x: at(edges[index]), width: Math.max(at(edges[index + 1]) - at(edges[index]), 0), y: 0, height: 100 })),
        bars.map((bar, index) => s('rect', { class: 'raw', x: (100 * index) / bars.length + 0.15, width: 100 / bars.length - 0.3, y: 100 - (94 * bar) / most, height: (94 * bar) / most })),
        cuts.map((cut) => s('line', { class: 'cut', x1: at(cut), x2: at(cut), y1: 0, y2: 100 }))),
      cuts.map((cut) => h('button', {
        type: 'button', class: 'bound', style: { left: `${at(cut)}%` }, title: `Close the bound ${number(cut)}`, 'aria-label': `Close the bound at ${number(cut)}`,
        data: { key: `${name}/bound/${cut}` },
        on: { click: () => move({ cuts: cuts.filter((other) => other !== cut) }) },
      }, h('span', null, number(cut))))),
    h('div', { class: 'ends' }, h('span', null, number(low)), h('span', null, number(high))),
    h('ul', { class: 'chips', 'aria-label': `Published labels of ${name}` },
      all.map((interval) => h('li', { title: counted(interval.records, 'record') }, h('b', null, interval.label), ' ', h('small', null, percent(interval.records / Math.max(records, 1)))))),
    h('form', { class: 'add', on: { submit: (event) => { event.preventDefault(); add(event.target.elements[0].valueAsNumber); } } },
      h('label', { htmlFor: field }, 'Open a bound at'),
      h('input', { id: field, type: 'number', step: whole ? '1' : 'any', min: String(low), max: String(high), data: { key: `${name}/add` } }),
      h('button', { type: 'submit', class: 'quiet' }, 'Open')));
}
