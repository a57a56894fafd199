// A taxonomy to build and edit: values are dragged between groups, groups are named, and every change can be undone.

import { h, live } from '../core/dom.js';
import { counted } from '../core/format.js';
import { signal } from '../core/reactive.js';
import { graft, grouped, grown, listed, removed, renamed, within } from '../trees.js';
import { ofAttribute } from '../spec.js';
import { act, spec, state } from '../state.js';
import { wire } from '../wire.js';
import { PLAIN } from './masked.js';
import { download, field, select } from './parts.js';

const WAYS = [['prefix', 'by how values begin'], ['target', 'by how alike their classes are'], ['calendar', 'dates by the calendar'], ['width', 'numbers by equal widths'], ['frequency', 'numbers by equal frequencies'], ['flat', 'flat, to group by hand']];
const FORMATS = [['outline', 'Outline', 'txt'], ['arx', 'ARX hierarchy', 'csv'], ['json', 'JSON', 'json']];

async function tried(work) {
  try {
    return await work();
  } catch (fault) {
    state.fault.value = { text: fault.message, hint: fault.hint };
    return undefined;
  }
}

function editor(name) {
  const tree = signal(null);
  const past = signal([]);
  const chosen = signal(null);
  const set = (next) => {
    if (next === null) return;
    if (tree.peek()) past.value = [...past.peek(), tree.peek()];
    tree.value = next;
  };
  const undo = () => {
    const before = past.peek();
    if (before.length === 0) return;
    tree.value = before[before.length - 1];
    past.value = before.slice(0, -1);
  };
  const load = async (work) => {
    const found = await tried(work);
    if (found) set(grown(found.nodes));
  };
  const given = spec.peek().attributes[name]?.taxonomy;
  if (given) load(() => wire.readTaxonomy({ path: given }));
  return { name, tree, past, chosen, set, undo, load };
}

function node(edit, at, place) {
  const leaf = at.children.length === 0;
  const label = h('input', { type: 'text', value: at.label, 'aria-label': leaf ? `Value ${at.label}` : `Group ${at.label}`, readOnly: leaf, data: { key: `label-${place.join('.')}` } });
  label.addEventListener('change', () => edit.set(renamed(edit.tree.peek(), place, label.value.trim())));
  const take = (event) => {
    const from = event.dataTransfer.getData('text/x-node');
    if (!from) return;
    event.preventDefault();
    event.stopPropagation();
    edit.set(graft(edit.tree.peek(), JSON.parse(from), place));
  };
  const chosen = edit.chosen.value !== null && JSON.stringify(edit.chosen.value) === JSON.stringify(place);
  return h('li', null,
    h('div', {
      class: `edit ${leaf ? 'leaf' : 'group'}${chosen ? ' chosen' : ''}`, draggable: place.length > 0,
      on: {
        dragstart: (event) => { event.dataTransfer.setData('text/x-node', JSON.stringify(place)); event.stopPropagation(); },
        dragover: (event) => { if (!leaf && event.dataTransfer.types.includes('text/x-node')) event.preventDefault(); },
        drop: leaf ? () => {} : take,
      },
    }, label,
    place.length > 0 ? h('button', { type: 'button', class: 'quiet', 'aria-pressed': String(chosen), 'aria-label': `Move ${at.label}`, on: { click: () => { edit.chosen.value = chosen ? null : place; } } }, chosen ? 'moving' : 'move') : null,
    !leaf && edit.chosen.value !== null && !within(place, edit.chosen.value) ? h('button', { type: 'button', class: 'quiet', 'aria-label': `Put it into ${at.label}`, on: { click: () => { edit.set(graft(edit.tree.peek(), edit.chosen.peek(), place)); edit.chosen.value = null; } } }, 'put here') : null,
    leaf ? null : h('button', { type: 'button', class: 'quiet', 'aria-label': `New group in ${at.label}`, on: { click: () => edit.set(grouped(edit.tree.peek(), place)) } }, '+ group'),
    !leaf && place.length > 0 ? h('button', { type: 'button', class: 'x', 'aria-label': `Dissolve ${at.label}`, on: { click: () => edit.set(removed(edit.tree.peek(), place)) } }, '×') : null),
    leaf ? null : h('ul', null, at.children.map((child, index) => node(edit, child, [...place, index]))));
}

async function use(edit, file) {
  const flat = { nodes: listed(edit.tree.peek()) };
  const path = await tried(() => wire.saveTaxonomy(flat, file, true));
  if (!path) return;
  taken(edit.name, { taxonomy: path, private: true });
}

/** A column is masked by a taxonomy now. */
function taken(name, said) {
  act.change(ofAttribute(spec.peek(), name, { ...PLAIN, ...said }));
  state.editing.value = null;
}

/** Taxonomies that come with the program are used as they are. */
function builtin(name) {
  const all = state.start.peek()?.classifications ?? [];
  return select('', [['', 'a classification that everybody uses …'], ...all.map(([path, about]) => [path, `${path.slice(8)}: ${about}`])], (path) => path && taken(name, { taxonomy: path }), { 'aria-label': 'Use a classification', class: 'builtin' });
}

export function taxonomy(name) {
  const edit = editor(name);
  const given = spec.peek().attributes[name]?.taxonomy;
  const file = signal(given && !given.startsWith('builtin:') ? given.split('/').pop() : `${name}.txt`);
  const build = (by) => edit.load(() => wire.proposeTaxonomy({ spec: spec.peek(), attribute: name, target: spec.peek().purpose.target, by }));
  const target = h('input', { type: 'text', value: file.peek() });
  target.addEventListener('input', () => { file.value = target.value.trim(); });
  return h('section', { class: 'narrow taxonomy-view' },
    h('div', { class: 'title' }, h('h2', null, `Taxonomy of ${name}`), h('button', { type: 'button', class: 'quiet', on: { click: () => { state.editing.value = null; } } }, 'Back')),
    h('p', { class: 'lead' }, 'Leaves are values of the table, groups are less specific names. Drag a value onto a group, or choose “move” and then “put here”.'),
    h('div', { class: 'row' }, h('span', null, 'Build it'), WAYS.map(([by, title]) => h('button', { type: 'button', class: 'quiet', disabled: by === 'target' && !spec.peek().purpose.target, on: { click: () => build(by) } }, title)),
      h('label', { class: 'quiet button' }, 'Import a file', h('input', { type: 'file', class: 'aloud', on: { change: async (event) => { const [chosen] = event.target.files; if (chosen) edit.load(async () => wire.readTaxonomy({ text: await chosen.text() })); } } }))),
    h('div', { class: 'row' }, h('span', null, 'or use'), builtin(name)),
    live(() => (edit.tree.value === null ? h('p', null, 'No tree yet.') : [
      h('div', { class: 'row' }, h('small', null, counted(listed(edit.tree.value).length, 'node')), h('button', { type: 'button', class: 'quiet', disabled: edit.past.value.length === 0, on: { click: edit.undo } }, 'Undo'),
        FORMATS.map(([how, title, ending]) => h('button', { type: 'button', class: 'quiet', on: { click: async () => { const text = await tried(() => wire.writeTaxonomy({ nodes: listed(edit.tree.peek()) }, how)); if (text) download(`${name}.${ending}`, text); } } }, `Export as ${title}`))),
      h('ul', { class: 'edit-tree' }, node(edit, edit.tree.value, [])),
      h('form', { class: 'publish', on: { submit: (event) => { event.preventDefault(); use(edit, file.peek()); } } }, field('Store it beside the table as', target), h('button', { type: 'submit', class: 'primary' }, 'Use it')),
      h('p', { class: 'lead' }, 'It has values of your table, so it is used as a private taxonomy: nothing below the line is published.'),
    ])));
}
