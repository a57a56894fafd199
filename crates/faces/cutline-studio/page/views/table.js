// Choose a table, a spec, or a release.

import { h, live } from '../core/dom.js';
import { act, state } from '../state.js';
import { field, select } from './parts.js';

const kinds = [
  [/\.toml$/, 'spec'],
  [/\.txt(\.\w+)?$/, 'taxonomy'],
  [/\.\w+$/, 'table'],
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

/** A table of a server: it is named by its address, and what is read there. */
function servers() {
  const schemes = state.start.value?.servers ?? [];
  if (schemes.length === 0) return null;
  const address = h('input', { type: 'text', required: true, spellcheck: false, autocomplete: 'off', placeholder: `${schemes[0]}user@host/database`, data: { key: 'address' } });
  const what = select('table', [['table', 'the table'], ['query', 'the query']], () => {}, { data: { key: 'wanted' } });
  const name = h('input', { type: 'text', required: true, spellcheck: false, placeholder: 'patients', data: { key: 'wanted-name' } });
  const open = (event) => {
    event.preventDefault();
    act.openServer(address.value.trim(), { [what.value]: name.value.trim() });
  };
  return h('details', { class: 'server' }, h('summary', null, 'A table of a database or a cluster'),
    h('form', { class: 'server-form', on: { submit: open } }, field('Address', address), field('Read', what), field('Its name or text', name), h('button', { type: 'submit', class: 'primary' }, 'Open')),
    h('p', { class: 'lead' }, `Addresses begin with ${schemes.join(' or ')}. The records stay there: counts come here, and some drawn records for the pictures. Never write a password or a token: they are taken from where the command has them (`,
      h('code', null, 'PGPASSWORD'), ', ', h('code', null, '~/.pgpass'), ', ', h('code', null, 'SPARK_CONNECT_AUTHENTICATE_TOKEN'), ').'));
}

export const table = () => h('section', { class: 'narrow' },
  h('h2', null, 'Which table is to be published?'),
  h('p', { class: 'lead' }, live(() => (state.start.value ? ['Files in ', h('code', null, state.start.value.folder), '. They are read where they are; nothing leaves this machine.'] : null), 'span')),
  live(files),
  live(servers),
  h('label', { class: 'dropzone' },
    h('input', { type: 'file', class: 'aloud', on: { change: (event) => event.target.files[0] && act.drop(event.target.files[0]) } }),
    h('b', null, 'Drop a file here, or choose one'),
    h('small', null, 'A browser does not say where a file is, so it is kept in a private folder of this machine until the studio ends. Up to 256 MB; open larger ones by name.')));
