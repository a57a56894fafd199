// The columns: what each is, and what an attacker may know together.

import { h, live, prose } from '../core/dom.js';
import { condition as inWords, count, counted, percent } from '../core/format.js';
import { sketch } from '../pictures/sketch.js';
import { about, budget, clustersOf, roleOf, withBudget, withClusters, withK, withQid, withRole, withTarget } from '../spec.js';
import { act, ready, spec, state } from '../state.js';
import { masked } from './masked.js';
import { BUDGETS, field, select, slider, thresholds } from './parts.js';
import { specTools } from './tools.js';

const ROLES = [
  ['quasi', 'others may know it — mask it'],
  ['sensitive', 'nobody should learn it — watch it'],
  ['target', 'to be predicted'],
  ['drop', 'names persons — leave it out'],
  ['tokenize', 'names persons — random tokens'],
  ['person', 'says whose record it is — k counts persons'],
  ['weight', 'says how many it stands for — a survey weight'],
  ['other', 'publish it as it is'],
];

/** Who says that a column has its role. */
function whose(column, role) {
  const { spec: first, given } = state.opened.peek();
  if (role !== roleOf(first, column.name)) return 'Chosen by you.';
  if (!given) return `Proposed: ${column.reason}.`;
  return column.role === 'quasi' && role === 'other' ? `The spec does not mask it; it should be masked: ${column.reason}.` : 'As the spec says.';
}

function card(column) {
  const { drawn } = state.opened.peek();
  return h('li', { class: 'column', draggable: true, on: { dragstart: (event) => event.dataTransfer.setData('text/x-column', column.name) } },
    h('div', { class: 'column-head' }, h('h3', null, column.name),
      h('small', null, `${counted(column.distinct, 'value')}${column.missing > 0 ? `, ${count(column.missing)} missing` : ''}`)),
    sketch(column, drawn),
    live(() => {
      const role = roleOf(spec.value, column.name);
      return [
        h('div', { class: `role ${role}` }, field('Role', select(role, ROLES, (chosen) => act.change(withRole(spec.peek(), column.name, chosen)), { data: { key: `role-${column.name}` } }))),
        h('p', { class: 'why' }, whose(column, role)),
        masked(column),
      ];
    }),
    column.findings.map((finding) => h('p', { class: 'finding' }, prose(`It ${finding}.`))));
}

function requirement(at, qid) {
  const records = state.opened.peek().records;
  const take = (name) => {
    const now = spec.peek();
    if (roleOf(now, name) !== 'quasi') return act.change(withQid(withRole(now, name, 'quasi'), at, [...new Set([...now.qid[at].attributes, name])]));
    return act.change(withQid(now, at, [...new Set([...now.qid[at].attributes, name])]));
  };
  return h('fieldset', {
    class: 'qid',
    on: {
      dragover: (event) => { if (event.dataTransfer.types.includes('text/x-column')) event.preventDefault(); },
      drop: (event) => {
        const name = event.dataTransfer.getData('text/x-column');
        if (name) { event.preventDefault(); take(name); }
      },
    },
  },
  h('legend', null, `What an attacker may know together${spec.value.qid.length > 1 ? ` (${at + 1})` : ''}`),
  h('ul', { class: 'chips' }, qid.attributes.length === 0 ? h('li', { class: 'hint' }, 'drop a column here, or choose one below') : qid.attributes.map((name) => h('li', null, name, ' ',
    h('button', { type: 'button', class: 'x', 'aria-label': `Take ${name} out`, on: { click: () => act.change(withQid(spec.peek(), at, qid.attributes.filter((other) => other !== name))) } }, '×')))),
  h('div', { class: 'row' },
    select('', [['', 'add a column …'], ...state.opened.peek().columns.filter((column) => !qid.attributes.includes(column.name)).map((column) => [column.name])], (name) => name && take(name), { 'aria-label': 'Add a column', data: { key: `add-${at}` } }),
    spec.value.qid.length > 1 ? h('button', { type: 'button', class: 'quiet', on: { click: () => act.change({ ...spec.peek(), qid: spec.peek().qid.filter((_, other) => other !== at) }) } }, 'Remove') : null),
  slider({
    label: 'k: records that must look alike', key: `k-${at}`, values: thresholds(records), value: qid.k, show: (k) => String(k),
    parse: (text) => (Number.isInteger(Number(text)) && Number(text) >= 1 ? Number(text) : undefined),
    change: (k) => act.change(withK(spec.peek(), at, k)),
  }));
}

function purpose() {
  const { columns } = state.opened.peek();
  const target = spec.value.purpose.target ?? '';
  const kind = spec.value.purpose.kind === 'regression' ? 'regression' : 'classification';
  const clusters = clustersOf(spec.value);
  const numbers = [...new Set([2, 3, 4, 5, 6, 8, 10, 12, 15, 20, ...(clusters === undefined ? [] : [clusters])])].sort((one, other) => one - other);
  const use = clusters !== undefined ? 'clusters' : target ? 'model' : 'any';
  const uses = [['any', 'anything: keep detail'], ['model', 'a model that predicts a column'], ['clusters', 'finding clusters of alike records']];
  const choose = (chosen) => {
    const plain = withClusters(spec.peek(), undefined);
    if (chosen === 'clusters') act.change(withClusters(plain, 6));
    else if (chosen === 'model') act.change(withRole(plain, columns.find((column) => roleOf(plain, column.name) === 'other')?.name ?? columns.at(-1).name, 'target'));
    else act.change(plain);
  };
  return [
    field('It is for', select(use, uses, choose, { data: { key: 'use' } })),
    use === 'clusters' ? field('Clusters', select(String(clusters), numbers.map((number) => [String(number)]), (number) => act.change(withClusters(spec.peek(), Number(number))), { data: { key: 'clusters' } })) : null,
    use === 'clusters' ? null : field('To be predicted', select(target, [['', 'nothing in particular'], ...columns.map((column) => [column.name])], (name) => act.change(name ? withRole(spec.peek(), name, 'target') : withTarget(spec.peek(), undefined)), { data: { key: 'target' } })),
    target ? field('It is', select(kind, [['classification', 'a class'], ['regression', 'a number']], (chosen) => act.change(withTarget(spec.peek(), target, chosen)), { data: { key: 'purpose' } })) : null,
  ];
}

function conditions() {
  const said = spec.value.conditions ?? [];
  const sensitive = state.opened.peek().columns.filter((column) => roleOf(spec.value, column.name) === 'sensitive').map((column) => column.name);
  const add = (condition) => act.change({ ...spec.peek(), conditions: [...said, condition] });
  return h('div', { class: 'conditions' },
    said.length + spec.value.qid.flatMap((qid) => qid.conditions ?? []).length > 0 ? h('ul', { class: 'chips' },
      said.map((condition) => h('li', null, inWords(condition), ' ', h('button', { type: 'button', class: 'x', 'aria-label': `Take back: ${inWords(condition)}`, on: { click: () => act.change({ ...spec.peek(), conditions: said.filter((other) => other !== condition) }) } }, '×'))),
      spec.value.qid.flatMap((qid, at) => (qid.conditions ?? []).map((condition) => h('li', null, inWords(condition), ' ', h('button', { type: 'button', class: 'x', 'aria-label': `Take back: ${inWords(condition)}`, on: { click: () => act.change({ ...spec.peek(), qid: spec.peek().qid.map((one, other) => (other === at ? { ...one, conditions: one.conditions.filter((other) => other !== condition) } : one)) }) } }, '×'))))) : null,
    sensitive.length > 0 ? select('', [['', 'add a condition …'], ...sensitive.filter((name) => !said.some((condition) => about(condition) === name)).flatMap((name) => [
      [`distinct-l:${name}=3`, `${name}: at least 3 different values in every group`],
      [`alpha:${name}=0.5`, `${name}: no value with a share above one half`],
      [`t-close:${name}=0.2`, `${name}: distributed as in the whole table (0.2)`],
    ])], (condition) => condition && add(condition), { 'aria-label': 'Add a condition', data: { key: 'condition' } })
      : h('small', null, 'Give a column the role “nobody should learn it” to set conditions on it.'));
}

function warnings() {
  const { pairs, singled_out: sets, missing } = state.opened.peek();
  const lines = [
    ...missing.map((marker) => `“${marker.text}” looks like a missing value in ${marker.columns.join(', ')}; it is taken for one.`),
    ...sets.map((set) => `Who knows ${set.attributes.join(', ')} singles out ${percent(set.unique_share)} of the records.`),
    ...pairs.map((pair) => `${pair.columns.join(' and ')} together give ${pair.attribute} away for ${percent(pair.share)} of the records.`),
  ];
  return lines.length > 0 ? h('aside', { class: 'warnings', 'aria-label': 'What was noticed' }, h('h3', null, 'What was noticed'), h('ul', null, lines.map((line) => h('li', null, line)))) : null;
}

export function columns() {
  const { records, columns: all, drawn } = state.opened.peek();
  return h('section', { class: 'columns-view' },
    h('div', { class: 'title' }, h('h2', null, spec.peek().input.path?.split('/').pop() ?? 'the table'),
      h('p', { class: 'lead' }, `${counted(records, 'record')}, ${counted(all.length, 'column')}${drawn < records ? `; pictures are of ${count(drawn)} drawn records` : ''}`), h('div', { class: 'tools' }, specTools(), live(() => h('button', { type: 'button', class: 'primary', disabled: !ready.value, on: { click: () => act.go('result') } }, 'See the result')))),
    h('div', { class: 'with-side' },
      h('div', { class: 'side' },
        live(() => spec.value.qid.map((qid, at) => requirement(at, qid))),
        h('button', { type: 'button', class: 'quiet', on: { click: () => act.change({ ...spec.peek(), qid: [...spec.peek().qid, { attributes: [], k: spec.peek().qid[0]?.k ?? 10 }] }) } }, 'Add another set'),
        h('fieldset', null, h('legend', null, 'What it is published for'), live(purpose)),
        h('fieldset', null, h('legend', null, 'What groups may not tell'), live(conditions)),
        h('fieldset', null, h('legend', null, 'Budget'),
          live(() => slider({ label: 'Records that may be hidden', key: 'budget', values: BUDGETS, value: budget(spec.value), show: (share) => `${Number((share * 100).toFixed(3))} %`, parse: shareOf, change: (share) => act.change(withBudget(spec.peek(), share)) })))),
      h('div', null, warnings(), h('ul', { class: 'column-cards' }, all.map(card)))));
}

export function shareOf(text) {
  const value = Number(text.replace('%', '').trim());
  return Number.isFinite(value) && value >= 0 && value <= 100 ? value / 100 : undefined;
}
