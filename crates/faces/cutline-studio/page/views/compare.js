// Several results side by side.

import { h, live } from '../core/dom.js';
import { count, oneIn, percent } from '../core/format.js';
import { curve } from '../pictures/curve.js';
import { budget, withBudget, withSearch } from '../spec.js';
import { act, spec, state } from '../state.js';

const MORE = [
  ['Other k', () => [0.25, 0.5, 1, 2, 4].map((times) => ({ ...spec.peek(), qid: spec.peek().qid.map((qid) => ({ ...qid, k: Math.max(2, Math.round(qid.k * times)) })) }))],
  ['Other budgets', () => [0, 0.005, 0.01, 0.02, 0.05].map((share) => withBudget(spec.peek(), share))],
  ['Other algorithms', () => ['refine', 'tdr', 'tds', 'bottom-up'].map((algorithm) => (algorithm === state.result.peek()?.view.searched_by ? spec.peek() : withSearch(spec.peek(), { algorithm })))],
  ['Local refinement', () => [undefined, 'nested', 'free'].map((local) => withSearch(spec.peek(), { local, algorithm: undefined, max_steps: undefined }))],
  ['Without each attribute', () => {
    const now = spec.peek();
    const names = [...new Set(now.qid.flatMap((qid) => qid.attributes))];
    return names.length < 2 ? [] : names.map((name) => ({ ...now, qid: now.qid.map((qid) => ({ ...qid, attributes: qid.attributes.filter((other) => other !== name) })), attributes: { ...now.attributes, [name]: { ...now.attributes[name], role: 'identifier', identifier: 'drop' } } }));
  }],
];

const risk = (result) => Math.max(...result.view.qids.map((qid) => qid.after.highest));

/** How a result differs from the others, in words. */
function named(result) {
  const { spec: said } = result;
  const parts = [`k ${said.qid.filter((qid) => qid.attributes.length > 0).map((qid) => qid.k).join(' / ')}`];
  if (budget(said) > 0) parts.push(`budget ${percent(budget(said))}`);
  parts.push(result.view.searched_by);
  if (said.search?.max_steps !== undefined) parts.push(`${said.search.max_steps} steps`);
  const out = [...new Set(spec.value.qid.flatMap((qid) => qid.attributes))].filter((name) => !said.qid.some((qid) => qid.attributes.includes(name)));
  if (out.length > 0) parts.push(`without ${out.join(', ')}`);
  return parts.join(', ');
}

function list(kept) {
  const errors = kept.some((result) => result.view.losses.error !== null);
  const heads = ['', 'Result', 'Highest risk', 'Average risk', 'Groups', 'Detail lost', ...(errors ? ['Error'] : []), 'Hidden', ''];
  const row = (result, at) => h('tr', { class: result.spec === spec.value ? 'chosen' : '' },
    h('td', { class: 'number' }, at + 1), h('th', { scope: 'row' }, named(result)),
    h('td', { class: 'number' }, oneIn(risk(result))), h('td', { class: 'number' }, oneIn(Math.max(...result.view.qids.map((qid) => qid.after.average)))),
    h('td', { class: 'number' }, count(result.view.qids.reduce((sum, qid) => sum + qid.after.groups, 0))),
    h('td', { class: 'number' }, percent(result.view.losses.general)),
    errors ? h('td', { class: 'number' }, result.view.losses.error === null ? '' : percent(result.view.losses.error)) : null,
    h('td', { class: 'number' }, count(result.view.suppressed)),
    h('td', null, h('div', { class: 'row' }, h('button', { type: 'button', class: 'quiet', 'aria-label': `Choose ${named(result)}`, on: { click: () => act.choose(result) } }, 'Choose'),
      h('button', { type: 'button', class: 'x', 'aria-label': `Forget ${named(result)}`, on: { click: () => act.drop_kept(result) } }, '×'))));
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Results that are compared' },
    h('table', { class: 'compared' }, h('thead', null, h('tr', null, heads.map((head) => (head === '' ? h('td', null) : h('th', { scope: 'col', class: head === 'Result' ? '' : 'number' }, head))))), h('tbody', null, kept.map(row))));
}

function shown() {
  const kept = state.kept.value;
  if (kept.length === 0) return h('p', { class: 'lead' }, 'Nothing is kept yet. Keep a result with “Compare”, or search for several at once:');
  const errors = kept.every((result) => result.view.losses.error !== null);
  const points = kept.map((result) => ({ x: risk(result), y: errors ? result.view.losses.error : result.view.losses.general, name: named(result), chosen: result.spec === spec.value }));
  return [list(kept), kept.length > 1 ? curve(points, { x: 'highest risk to be found', y: errors ? 'error forced by the groups' : 'detail lost' }) : null];
}

export const compare = () => h('section', { class: 'compare-view' },
  h('div', { class: 'title' }, h('h2', null, 'Compare'), h('p', { class: 'lead' }, 'Less risk costs detail. How much, shows the curve.')),
  live(shown),
  h('div', { class: 'row more' }, MORE.map(([title, specs]) => h('button', { type: 'button', class: 'quiet', on: { click: () => act.compare(specs()) } }, title)),
    live(() => (state.kept.value.length > 0 ? h('button', { type: 'button', class: 'quiet', on: { click: () => { state.kept.value = []; } } }, 'Forget all') : null))));
