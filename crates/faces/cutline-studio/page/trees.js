// Trees as they are edited: every function gives a new tree. A place is a path of positions from the root.

/** A tree from a list in preorder. */
export function grown(nodes) {
  const all = nodes.map((node) => ({ label: node.label, children: [] }));
  nodes.forEach((node, at) => { if (node.parent !== null) all[node.parent].children.push(all[at]); });
  return all[0];
}

/** The list of a tree. */
export function listed(tree) {
  const nodes = [];
  const visit = (node, parent) => {
    const at = nodes.push({ label: node.label, parent }) - 1;
    for (const child of node.children) visit(child, at);
  };
  visit(tree, null);
  return nodes;
}

const at = (tree, place) => place.reduce((node, index) => node.children[index], tree);

/** The tree with another node at a place; without one if there is none. */
function put(tree, place, node) {
  if (place.length === 0) return node;
  const [first, ...rest] = place;
  const children = tree.children.flatMap((child, index) => {
    if (index !== first) return [child];
    const next = rest.length === 0 ? node : put(child, rest, node);
    return next === null ? [] : [next];
  });
  return { ...tree, children };
}

/** Is a place the other one, or below it? */
export const within = (place, other) => other.every((index, level) => place[level] === index);

const labels = (tree) => listed(tree).map((node) => node.label);

/** A name that no node has. */
function fresh(tree, stem) {
  const taken = new Set(labels(tree));
  let number = 1;
  while (taken.has(`${stem} ${number}`)) number += 1;
  return `${stem} ${number}`;
}

/** A new group of two values of a group, to be filled: one without values would be a value itself. */
export function grouped(tree, place) {
  const parent = at(tree, place);
  const alone = parent.children.filter((child) => child.children.length === 0).slice(0, 2);
  if (alone.length === 0) return null;
  const group = { label: fresh(tree, 'Group'), children: alone };
  return put(tree, place, { ...parent, children: [group, ...parent.children.filter((child) => !alone.includes(child))] });
}

/** Moves a node into a group. A group that loses its last value goes too. */
export function graft(tree, from, into) {
  if (from.length === 0 || within(into, from)) return null;
  const [moved, home, target] = [at(tree, from), at(tree, from.slice(0, -1)), at(tree, into)];
  if (home === target) return null;
  const visit = (node) => {
    const children = node.children.filter((child) => child !== moved).map(visit).filter((child) => child !== null);
    if (node === target) children.push(moved);
    return node.children.length > 0 && children.length === 0 ? null : { ...node, children };
  };
  return visit(tree);
}

/** Another label. */
export function renamed(tree, place, label) {
  if (label === '' || labels(tree).includes(label)) return null;
  return put(tree, place, { ...at(tree, place), label });
}

/** Takes a group away; what was in it goes up. */
export function removed(tree, place) {
  const parent = at(tree, place.slice(0, -1));
  const group = at(tree, place);
  const children = parent.children.flatMap((child) => (child === group ? group.children : [child]));
  return put(tree, place.slice(0, -1), { ...parent, children });
}
