// What is in the page, as objects. Text from outside only ever becomes text nodes and attributes
// that hold no code: there is no innerHTML in this script, and the page's policy forbids it.

const byId = (id) => document.getElementById(id);

/** An element; `attributes` that are null or false are left out, children may be text. */
function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children);
  return made;
}

/** Locks and edges that point at each other, or null where the page has no graph. */
function readGraph() {
  const source = byId("graph-data");
  if (!source) return null;
  const data = JSON.parse(source.textContent);
  const weight = { error: 0, warning: 1, note: 2 };
  const locks = data.locks.map(([name, label, kind, place, width], id) => ({
    id, name, label, kind, place, width, low: name.toLowerCase(), level: "", out: [], in: [],
  }));
  const findings = data.findings.map(([level, rule, message], id) => ({ id, level, rule, message }));
  const edges = data.edges.map(([from, to, found, witnesses], id) => {
    const levels = found.map((number) => findings[number].level);
    levels.sort((a, b) => weight[a] - weight[b]);
    const edge = {
      id, from: locks[from], to: locks[to], found: found.map((n) => findings[n]), witnesses,
      level: levels[0] || "",
    };
    locks[from].out.push(edge);
    locks[to].in.push(edge);
    for (const lock of [edge.from, edge.to]) {
      if (edge.level && (!lock.level || weight[edge.level] < weight[lock.level])) lock.level = edge.level;
    }
    return edge;
  });
  return { data, locks, edges, findings };
}

/** The lock's orders, those that go out first. */
const ordersOf = (lock) => [...lock.out, ...lock.in.filter((edge) => edge.from !== lock)];
