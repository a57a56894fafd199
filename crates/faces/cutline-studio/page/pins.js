// What must stay as somebody put it: from a line that was moved to what a spec says of it.

import { date, day } from './core/format.js';

const under = (nodes, node, top) => {
  for (let at = nodes[node].parent; at !== null; at = nodes[at].parent) if (at === top) return true;
  return false;
};

const places = (nodes, labels) => {
  const on = new Set(labels);
  const cut = nodes.map((node, at) => (on.has(node.label) ? at : -1)).filter((at) => at >= 0);
  const above = new Set();
  for (const at of cut) for (let up = nodes[at].parent; up !== null; up = nodes[up].parent) above.add(up);
  return { cut, above };
};

/** Pins after the line through a taxonomy was moved. What was said before and does not go with it is taken back. */
function inTree({ nodes }, { cut: labels }, before) {
  const found = places(nodes, nodes.filter((node) => node.place === 'on').map((node) => node.label));
  const now = places(nodes, labels);
  const opened = [...now.above].filter((at) => !found.above.has(at));
  const closed = now.cut.filter((at) => found.above.has(at));
  const at = (label) => nodes.findIndex((node) => node.label === label);
  const isValue = (one) => one >= 0 && !nodes.some((node) => node.parent === one);
  const open = [...before.open.map(at).filter((one) => now.above.has(one) || (isValue(one) && now.cut.includes(one))), ...opened];
  const shut = [...before.closed.map(at).filter((one) => one >= 0 && !now.above.has(one)), ...closed];
  const name = (one) => nodes[one].label;
  // Of nodes above each other, the lowest open one and the highest closed one say it all.
  const lowest = [...new Set(open)].filter((one) => !open.some((other) => other !== one && under(nodes, other, one)));
  const highest = [...new Set(shut)].filter((one) => !shut.some((other) => other !== one && under(nodes, one, other)));
  return { open: lowest.map(name), closed: highest.map(name) };
}

/** How bounds and intervals are written: numbers as they are, days as dates. */
const NUMBERS = { bound: String, between: '-', read: Number };
const DATES = { bound: date, between: ', ', read: day };
const scaleOf = (picture) => (picture.dates ? DATES : NUMBERS);

/** A bound as a spec says it. */
export const boundOf = (picture, cut) => scaleOf(picture).bound(cut);

/** The label of an interval between two bounds; the outermost are not told. */
function interval({ bound, between }, low, high) {
  if (low === undefined) return high === undefined ? '*' : `<${bound(high)}`;
  return high === undefined ? `>=${bound(low)}` : `[${bound(low)}${between}${bound(high)})`;
}

function inNumbers(picture, { cuts }, before) {
  const scale = scaleOf(picture);
  const opened = cuts.filter((cut) => !picture.cuts.includes(cut));
  const removed = picture.cuts.filter((cut) => !cuts.includes(cut));
  const around = (number) => interval(scale, [...cuts].reverse().find((cut) => cut < number), cuts.find((cut) => cut > number));
  const inside = (label) => cuts.some((cut) => label !== '*' && within(picture, label, cut));
  return {
    open: [...new Set([...before.open.filter((bound) => cuts.includes(scale.read(bound))), ...opened.map(scale.bound)])],
    closed: [...new Set([...before.closed.filter((label) => !inside(label)), ...removed.map(around)])].filter((label) => label !== '*' || cuts.length === 0),
  };
}

/** Is a number strictly inside an interval? Those that are published are known by their labels. */
function within(picture, label, number) {
  const at = picture.intervals?.findIndex((one) => one.label === label) ?? -1;
  if (at >= 0) return number > (picture.cuts[at - 1] ?? -Infinity) && number < (picture.cuts[at] ?? Infinity);
  if (label.startsWith('<')) return number < Number(label.slice(1));
  if (label.startsWith('>=')) return number > Number(label.slice(2));
  const [, low, high] = label.match(/^\[(-?[\d.e+]+)-(-?[\d.e+]+)[)\]]$/) ?? [];
  return low !== undefined && number > Number(low) && number < Number(high);
}

function inValues({ told: found }, { told }, before) {
  const was = new Set(found);
  const now = new Set(told);
  return {
    open: [...new Set([...before.open.filter((label) => now.has(label)), ...told.filter((label) => !was.has(label))])],
    closed: [...new Set([...before.closed.filter((label) => !now.has(label)), ...[...was].filter((label) => !now.has(label))])],
  };
}

const ways = { tree: inTree, intervals: inNumbers, values: inValues };

/** What a spec says of an attribute after its line was moved. */
export function pinned(attribute, line, said) {
  const before = { open: said?.open ?? [], closed: said?.closed ?? [] };
  return ways[attribute.picture.is](attribute.picture, line, before);
}

const flipped = (list, label) => (list.includes(label) ? list.filter((other) => other !== label) : [...list, label]);

/**
 * What a spec says of an attribute after something of its line was pinned as it is, or unpinned: `open` names what must stay told,
 * `closed` what must not be told in more detail.
 */
export function toggled({ open, closed }, said) {
  const before = { open: said?.open ?? [], closed: said?.closed ?? [] };
  return open === undefined ? { ...before, closed: flipped(before.closed, closed) } : { ...before, open: flipped(before.open, open) };
}

/** Pins that leave the search no choice: the line stays exactly where it is. */
export function exactly({ picture }) {
  if (picture.is === 'tree') {
    const children = new Set(picture.nodes.map((node) => node.parent));
    const on = picture.nodes.map((node, at) => ({ ...node, at })).filter((node) => node.place === 'on');
    const parents = [...new Set(on.map((node) => node.parent).filter((at) => at !== null))];
    return { open: parents.map((at) => picture.nodes[at].label), closed: on.filter((node) => children.has(node.at) || node.folded > 0).map((node) => node.label) };
  }
  if (picture.is === 'intervals') return { open: picture.cuts.map(scaleOf(picture).bound), closed: ['*'] };
  return { open: picture.told, closed: ['*'] };
}
