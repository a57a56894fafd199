// What several views use.

import { h, unique } from '../core/dom.js';

/** A field with its label. */
export function field(label, control, note) {
  const id = unique('field');
  control.id = id;
  return h('div', { class: 'field' }, h('label', { htmlFor: id }, label), control, note ? h('small', null, note) : null);
}

/** A choice among words. */
export const select = (value, options, choose, props = {}) => h('select', { ...props, on: { change: (event) => choose(event.target.value) } },
  options.map(([name, title]) => h('option', { value: name, selected: name === value }, title ?? name)));

/** On or off. */
export const toggle = (label, on, set, props = {}) => h('label', { class: 'toggle' },
  h('input', { type: 'checkbox', role: 'switch', checked: on, ...props, on: { change: (event) => set(event.target.checked) } }),
  h('span', { class: 'track', 'aria-hidden': 'true' }), h('span', null, label));

/** A slider over some values, with a number beside it for who knows what is wanted. */
export function slider({ label, values, value, show, parse, change, key }) {
  const id = unique('slider');
  const nearest = (wanted) => values.reduce((best, one, at) => (Math.abs(one - wanted) < Math.abs(values[best] - wanted) ? at : best), 0);
  const range = h('input', { id, type: 'range', min: '0', max: String(values.length - 1), step: '1', value: String(nearest(value)), data: { key }, 'aria-valuetext': show(value) });
  const text = h('input', { type: 'text', class: 'exact', inputMode: 'decimal', value: show(value), 'aria-label': `${label}, exactly`, data: { key: `${key}-exact` } });
  range.addEventListener('input', () => {
    const chosen = values[Number(range.value)];
    text.value = show(chosen);
    range.setAttribute('aria-valuetext', show(chosen));
    change(chosen);
  });
  text.addEventListener('change', () => {
    const chosen = parse(text.value);
    if (chosen === undefined) {
      text.value = show(value);
      return;
    }
    range.value = String(nearest(chosen));
    change(chosen);
  });
  return h('div', { class: 'slider' }, h('label', { htmlFor: id }, label), text, range);
}

/** Thresholds to choose from: few small ones that matter, then larger steps. */
export function thresholds(records) {
  const all = [2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 5000, 7500, 10000];
  return all.filter((k) => k <= Math.max(10, Math.min(records / 4, 2000)));
}

export const BUDGETS = [0, 0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1];

/** Lets somebody keep a text as a file. */
export function download(name, text) {
  const link = h('a', { href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
