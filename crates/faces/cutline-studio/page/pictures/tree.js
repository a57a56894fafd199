// A taxonomy with the line through it. Above the line is published, below it stays private.

import { h, s } from '../core/dom.js';
import { brief, counted } from '../core/format.js';

const ROW = 27;
const GAP = 24;
/** What a card shows at once, what one over the whole width does, and the narrowest column. */
const SIGHT = 480;
const WIDE = 930;
const NARROW = 88;
/** More leaves below the line than this are folded until somebody wants to see them. */
const MOST_LEAVES = 14;

/** The nodes with their children, from a list in preorder. */
function grown(nodes) {
  const all = nodes.map((node, at) => ({ ...node, at, children: [], depth: 0 }));
  for (const node of all) {
    if (node.parent === null) continue;
    node.depth = all[node.parent].depth + 1;
    all[node.parent].children.push(node);
  }
  return all;
}

/** Where the line is after a click: on a node of it, one level down; on any other, exactly there. */
export function clicked(nodes, at) {
  const all = grown(nodes);
  const cut = new Set(all.filter((node) => node.place === 'on').map((node) => node.at));
  const node = all[at];
  if (node.place === 'on') {
    cut.delete(at);
    for (const child of node.children) cut.add(child.at);
  } else if (node.place === 'above') {
    const below = (one) => one.children.flatMap((child) => [child.at, ...below(child)]);
    for (const one of below(node)) cut.delete(one);
    cut.add(at);
  } else {
    // Opens every node between the line and this one.
    const path = [];
    for (let up = node; up.place === 'below'; up = all[up.parent]) path.push(up);
    const top = all[path[path.length - 1].parent];
    cut.delete(top.at);
    for (const child of top.children) cut.add(child.at);
    for (const opened of path.slice(1).reverse()) {
      cut.delete(opened.at);
      for (const child of opened.children) cut.add(child.at);
    }
  }
  return all.filter((one) => cut.has(one.at)).map((one) => one.label);
}

/** Gives every node that is shown its place: leaves one under the other, parents in the middle of their children. */
function laidOut(all, open) {
  const widths = [];
  let row = 0;
  const shown = [];
  const visit = (node) => {
    const hidden = node.place === 'on' && !open ? node.children : [];
    const children = node.children.filter((child) => !hidden.includes(child));
    shown.push(node);
    widths[node.depth] = Math.max(widths[node.depth] ?? 0, Math.min(node.label.length * 6.9 + 66, 200));
    node.first = row;
    for (const child of children) visit(child);
    if (children.length === 0) {
      node.y = row * ROW + ROW / 2;
      row += 1;
    } else {
      node.y = (children[0].y + children[children.length - 1].y) / 2;
    }
    node.last = row;
    node.shownChildren = children;
  };
  visit(all[0]);
  const wide = fit(widths, widths.length);
  const starts = widths.reduce((starts, width) => [...starts, starts[starts.length - 1] + width + GAP], [0]);
  for (const node of shown) {
    node.x = starts[node.depth];
    node.end = starts[node.depth + 1] - GAP;
  }
  return { shown, wide, width: starts[starts.length - 1], height: row * ROW };
}

/** Makes columns narrower until the line is in sight without scrolling. Does it need a card over the whole width? */
function fit(widths, columns) {
  const wanted = widths.slice(0, columns).reduce((sum, width) => sum + width + GAP, 0);
  const wide = wanted > SIGHT * 1.15;
  const sight = wide ? WIDE : SIGHT;
  if (wanted > sight) {
    const spare = widths.slice(0, columns).reduce((sum, width) => sum + Math.max(width - NARROW, 0), 0);
    const left = Math.max(sight - columns * (NARROW + GAP), 0);
    for (let at = 0; at < columns; at += 1) if (widths[at] > NARROW) widths[at] = NARROW + ((widths[at] - NARROW) * left) / spare;
  }
  return wide;
}

/** The line: to the right of each published node, from its first leaf to its last. */
function linePath(shown) {
  const spans = shown.filter((node) => node.place === 'on')
    .map((node) => ({ x: node.end + GAP / 2, top: node.first * ROW, bottom: node.last * ROW }))
    .sort((one, other) => one.top - other.top);
  if (spans.length === 0) return '';
  let path = `M${spans[0].x} ${spans[0].top}`;
  spans.forEach((span, at) => {
    const next = spans[at + 1];
    if (!next || next.x === span.x) {
      path += `L${span.x} ${span.bottom}`;
      return;
    }
    const reach = Math.min(ROW / 2, (span.bottom - span.top) / 2);
    path += `L${span.x} ${span.bottom - reach}C${span.x} ${span.bottom} ${next.x} ${span.bottom} ${next.x} ${span.bottom + Math.min(ROW / 2, (next.bottom - next.top) / 2)}`;
  });
  return path;
}

const link = (node, child) => {
  const from = node.end;
  const middle = (from + child.x) / 2;
  return `M${from} ${node.y}C${middle} ${node.y} ${middle} ${child.y} ${child.x} ${child.y}`;
};

/** What a click does, for who does not see the line. */
const says = {
  above: () => 'records, above the line: close here',
  on: (node) => (node.children.length > 0 ? 'records, published: open it' : 'records, published as it is'),
  below: () => 'records, below the line: open down to it',
};

/** What is pinned by a click: the line stays below what is above a node, or does not go below the node. */
function pinOf(all, node, clicks) {
  if (clicks === 'open') {
    const above = node.place === 'above' ? node : node.place === 'on' && node.parent !== null ? all[node.parent] : null;
    return above && { open: above.label };
  }
  return node.place === 'on' && (node.children.length > 0 || node.folded > 0) ? { closed: node.label } : null;
}

/** What a click on a node does, if anything, and whether it is done already. */
function action(all, node, picture, { clicks, pins, pin, move }) {
  if (clicks === 'move') return node.place === 'on' && node.children.length === 0 ? null : { does: () => move({ cut: clicked(picture.nodes, node.at) }), says: says[node.place](node) };
  const what = pinOf(all, node, clicks);
  if (what === null) return null;
  const done = what.open === undefined ? pins.closed.includes(what.closed) : pins.open.includes(what.open);
  return { does: () => pin(what), done, says: what.open === undefined ? 'records: pin it, so that it is not refined' : `records: pin it, so that ${what.open} stays open` };
}

/** Shows what is pinned. */
const pinMark = (pins, label) => {
  const [open, closed] = [pins.open.includes(label), pins.closed.includes(label)];
  return open || closed ? h('span', { class: 'pin' }, open ? '↓' : '✕', h('span', { class: 'aloud' }, open ? 'pinned: stays open' : 'pinned: is not refined')) : null;
};

/** A taxonomy; `move` is told the new line, `pin` what is to be pinned. */
export function tree(picture, options) {
  const { name, open, toggle, pins } = options;
  const all = grown(picture.nodes);
  const leaves = all.filter((node) => node.children.length === 0).length;
  const hideable = all.some((node) => node.place === 'below') && leaves > MOST_LEAVES;
  const { shown, wide, width, height } = laidOut(all, open || !hideable);
  const button = (node) => {
    const click = action(all, node, picture, options);
    return h('button', {
      class: `tree-node ${node.place}`, type: 'button', 'aria-disabled': click === null ? 'true' : undefined, 'aria-pressed': click?.done === undefined ? undefined : String(click.done),
      style: { left: `${node.x}px`, top: `${node.y}px`, 'max-width': `${node.end - node.x}px` },
      title: `${node.label}: ${counted(node.records, 'record')}`,
      data: { key: `${name}/${node.label}` },
      on: { click: () => click?.does() },
    }, pinMark(pins, node.label), h('span', { class: 'label' }, node.label), h('span', { class: 'records' }, brief(node.records)), h('span', { class: 'aloud' }, click?.says ?? 'records'),
    node.folded > 0 || (node.place === 'on' && node.children.length > 0 && node.shownChildren.length === 0) ? h('span', { class: 'fold', 'aria-hidden': 'true' }, '›') : null);
  };
  return h('div', { class: wide ? 'tree wide' : 'tree' },
    h('div', { class: 'tree-scroll', tabindex: '0', role: 'group', 'aria-label': `Taxonomy of ${name} with the line through it` },
      h('div', { class: 'tree-room', style: { width: `${width}px`, height: `${height}px` } },
        s('svg', { width, height, 'aria-hidden': 'true' },
          shown.flatMap((node) => node.shownChildren.map((child) => s('path', { class: `link ${child.place}`, d: link(node, child) }))),
          s('path', { class: 'line-glow', d: linePath(shown) }), s('path', { class: 'line', d: linePath(shown) })),
        shown.map(button))),
    hideable ? h('button', { type: 'button', class: 'quiet', 'aria-expanded': String(open), on: { click: toggle } },
      open ? 'Fold what is below the line' : 'Show what is below the line') : null);
}
