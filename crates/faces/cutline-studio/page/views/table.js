// Choose a table, a spec, or a release.

import { h, live } from '../core/dom.js';
import { act, state } from '../state.js';

const kinds = [
  [/\.toml$/, 'spec'],
  [/\.(csv|tsv)(\.gz)?$/, 'table'],
  [/\.(parquet|arrow|feather|jsonl(\.gz)?|ndjson)$/, 'table'],
  [/\.txt$/, 'taxonomy'],
];

const kindOf = (path) => kinds.find(([pattern]) => pattern.test(path))?.[1] ?? 'release';

const entry = (path) => h('li', null, h('button', { type: 'button', class: 'file', on: { click: () => act.open(path) } },
  h('span', { class: `kind ${kindOf(path)}` }, kindOf(path)), h('span', { class: 'path' }, path)));

function files() {
  const start = state.start.value;
  if (start === null) return h('p', { class: 'lead' }, 'looking for files …');
  const shown = start.files.filter((path) => kindOf(path) !== 'taxonomy');
  return shown.length > 0
    ? h('ul', { class: 'files' }, shown.map(entry))
    : h('p', null, 'There is no table in this folder. Start the studio with one: ', h('code', null, 'cutline studio table.csv'));
}

export const table = () => h('section', { class: 'narrow' },
  h('h2', null, 'Which table is to be published?'),
  h('p', { class: 'lead' }, live(() => (state.start.value ? ['Files in ', h('code', null, state.start.value.folder), '. They are read where they are; nothing leaves this machine.'] : null), 'span')),
  live(files),
  h('label', { class: 'dropzone' },
    h('input', { type: 'file', class: 'aloud', on: { change: (event) => event.target.files[0] && act.drop(event.target.files[0]) } }),
    h('b', null, 'Drop a file here, or choose one'),
    h('small', null, 'A browser does not say where a file is, so it is kept in a private folder of this machine until the studio ends. Up to 256 MB; open larger ones by name.')));
