// Numbers: the raw values as bars, the published intervals as bands over them.

import { h, s, unique } from '../core/dom.js';
import { counted, date, number, percent } from '../core/format.js';
import { boundOf } from '../pins.js';

/** Of more labels than these the rest is folded. */
const FEW = 12;

/** Rows of labels above the plot; what would still overlap is told when it is pointed at. */
const ROWS = 3;

/** In which row the label of each bound stands, so that none overlap; places are percentages of the width. */
function rowsOf(places, texts) {
  const ends = new Array(ROWS).fill(-Infinity);
  return places.map((place, at) => {
    const half = texts[at].length + 1.2;
    const row = ends.findIndex((end) => end <= place - half);
    if (row >= 0) ends[row] = place + half;
    return row;
  });
}

/** Closes a bound, or pins it where it is. */
function boundButton(cut, picture, { place, row }, { name, clicks, pins, pin, move }) {
  const [text, said] = [picture.dates ? date(cut) : number(cut), boundOf(picture, cut)];
  const pinned = pins.open.includes(said);
  const does = {
    move: [`Close the bound at ${text}`, () => move({ cuts: picture.cuts.filter((other) => other !== cut) })],
    open: [`Pin the bound at ${text}`, () => pin({ open: said })],
    closed: [`The bound at ${text}`, null],
  }[clicks];
  return h('button', {
    type: 'button', class: row < 0 ? 'bound crowded' : 'bound', style: { left: `${place}%`, '--row': String(Math.max(row, 0)) }, title: does[0], 'aria-label': pinned ? `${does[0]}, pinned` : does[0],
    'aria-disabled': does[1] === null ? 'true' : undefined, 'aria-pressed': clicks === 'open' ? String(pinned) : undefined,
    data: { key: `${name}/bound/${said}` }, on: { click: () => does[1]?.() },
  }, h('span', null, pinned ? `↓ ${text}` : text));
}

/** A published interval. Who pins what is not refined can click it. */
function chip({ label, records }, all, { name, clicks, pins, pin }) {
  const pinned = pins.closed.includes(label);
  const content = [pinned ? '✕ ' : null, h('b', null, label), ' ', h('small', null, percent(records / Math.max(all, 1)))];
  return h('li', { title: counted(records, 'record') }, clicks === 'closed'
    ? h('button', { type: 'button', class: 'chip', 'aria-pressed': String(pinned), data: { key: `${name}/chip/${label}` }, on: { click: () => pin({ closed: label }) } }, content)
    : content);
}

/** Intervals; `move` is told the new bounds, `pin` what is to be pinned. */
export function intervals(picture, options) {
  const { name, clicks, move, records, open, toggle } = options;
  const { low, high, bars, cuts, intervals: all, whole, dates } = picture;
  const show = dates ? date : number;
  const span = high - low || 1;
  const at = (value) => (100 * (value - low)) / span;
  const most = Math.max(...bars, 1);
  const edges = [low, ...cuts, high];
  const field = unique('bound');
  const foldable = all.length > FEW + 4;
  const rows = rowsOf(cuts.map(at), cuts.map((cut) => (options.pins.open.includes(boundOf(picture, cut)) ? `↓ ${show(cut)}` : show(cut))));
  const add = (value) => {
    if (Number.isFinite(value) && value > low && value < high && !cuts.includes(value)) move({ cuts: [...cuts, value].sort((a, b) => a - b) });
  };
  const bands = cuts.length === 0 && all.length === 1 && all[0].label === '*' ? [] : all;
  return h('div', { class: 'intervals' },
    h('div', { class: 'plot', style: { '--rows': String(Math.max(...rows, 0) + 1) } },
      s('svg', { viewBox: '0 0 100 100', preserveAspectRatio: 'none', role: 'img', 'aria-label': `Distribution of ${name} from ${show(low)} to ${show(high)} in ${counted(all.length, 'interval')}` },
        bands.map((_, index) => s('rect', { class: index % 2 === 0 ? 'band even' : 'band odd', x: at(edges[index]), width: Math.max(at(edges[index + 1]) - at(edges[index]), 0), y: 0, height: 100 })),
        bars.map((bar, index) => s('rect', { class: 'raw', x: (100 * index) / bars.length + 0.15, width: 100 / bars.length - 0.3, y: 100 - (94 * bar) / most, height: (94 * bar) / most })),
        cuts.map((cut) => s('line', { class: 'cut', x1: at(cut), x2: at(cut), y1: 0, y2: 100 }))),
      cuts.map((cut, index) => boundButton(cut, picture, { place: at(cut), row: rows[index] }, options))),
    h('div', { class: 'ends' }, h('span', null, show(low)), h('span', null, show(high))),
    h('ul', { class: 'chips', 'aria-label': `Published labels of ${name}` },
      (foldable && !open ? all.slice(0, FEW) : all).map((interval) => chip(interval, records, options))),
    foldable ? h('button', { type: 'button', class: 'quiet small', 'aria-expanded': String(open), on: { click: toggle } }, open ? 'Show fewer' : `Show all ${counted(all.length, 'label')}`) : null,
    clicks !== 'move' ? null : h('form', { class: 'add', on: { submit: (event) => { event.preventDefault(); add(event.target.elements[0].valueAsNumber / (dates ? 86_400_000 : 1)); } } },
      h('label', { htmlFor: field }, 'Open a bound at'),
      h('input', { id: field, ...(dates ? { type: 'date' } : { type: 'number', step: whole ? '1' : 'any', min: String(low), max: String(high) }), data: { key: `${name}/add` } }),
      h('button', { type: 'submit', class: 'quiet' }, 'Open')));
}
