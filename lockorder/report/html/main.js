// Puts the parts together: search, views, what is chosen, links to findings, keys of the page.

document.documentElement.classList.add("scripts");

function setUp(graph) {
  const search = byId("search"), status = byId("status"), canvas = byId("canvas"), panel = byId("evidence");
  const buttons = { found: byId("view-found"), around: byId("view-around"), all: byId("view-all") };
  const views = {};
  let mode = "", centre = null;

  const evidence = new Evidence(panel, graph, {
    edge: (edge) => choose({ edge }, false), lock: (lock) => choose({ lock }, false),
    centre: (lock) => show("around", lock),
  });
  const picture = new Picture(canvas, choose);
  const list = new OrderList(byId("edges"), byId("edges-inside"), (edge, enter) => choose({ edge }, enter));

  function choose(thing, enter) {
    if (thing.centre) show("around", thing.lock);
    const needed = thing.edge ? [thing.edge.from, thing.edge.to] : thing.lock ? [thing.lock] : [];
    if (needed.some((lock) => !picture.view.places.has(lock)) ||
        (thing.edge && !picture.view.curves.has(thing.edge))) {
      show("around", needed[0]);
    }
    picture.select(thing);
    list.mark(thing.edge);
    if (thing.edge) {
      evidence.edge(thing.edge);
      status.textContent = `${thing.edge.from.name} then ${thing.edge.to.name}`;
    } else if (thing.lock) {
      evidence.lock(thing.lock);
      status.textContent = `${thing.lock.name}: ${thing.lock.out.length} taken under it, ${thing.lock.in.length} held when it is taken`;
    } else {
      evidence.clear();
      status.textContent = "";
    }
    if (enter) panel.focus();
  }

  function show(name, lock) {
    if (name === "around") {
      centre = lock || picture.selected.lock || (picture.selected.edge && picture.selected.edge.from) ||
        centre || busiest();
    }
    mode = name;
    for (const [each, button] of Object.entries(buttons)) {
      button.setAttribute("aria-checked", String(each === name));
      button.tabIndex = each === name ? 0 : -1;
    }
    // The whole graph is only made when somebody wants to see it.
    picture.show(name === "around" ? around(graph, centre) : (views[name] ||= laidOut(graph, name)));
    if (name === "around") {
      picture.selected = { lock: centre };
      evidence.lock(centre);
    } else if (![picture.selected.lock, picture.selected.edge && picture.selected.edge.from]
      .some((each) => each && picture.view.places.has(each))) {
      picture.selected = {};
    }
    canvas.setAttribute("aria-label", `Lock-order graph: ${picture.view.places.size} locks, ${picture.view.edges.length} orders`);
  }

  function busiest() {
    return graph.locks.reduce((a, b) => (b.out.length + b.in.length > a.out.length + a.in.length ? b : a));
  }

  function find() {
    const wanted = search.value.trim().toLowerCase();
    const matches = wanted ? graph.locks.filter((lock) => lock.low.includes(wanted)) : null;
    picture.matches = matches && new Set(matches);
    list.show(matches
      ? graph.edges.filter((edge) => picture.matches.has(edge.from) || picture.matches.has(edge.to))
      : graph.edges);
    status.textContent = matches ? `${matches.length} lock${matches.length === 1 ? "" : "s"}, ${list.edges.length} orders` : "";
    picture.draw();
    return matches || [];
  }

  search.addEventListener("input", find);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      const matches = find();
      const first = matches.find((lock) => picture.view.places.has(lock)) || matches[0];
      if (first) {
        choose({ lock: first }, false);
        canvas.focus();
      }
    } else if (event.key === "Escape") {
      search.value = "";
      find();
      canvas.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const names = Object.keys(buttons);
  for (const [name, button] of Object.entries(buttons)) {
    button.addEventListener("click", () => show(name));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = names[(names.indexOf(name) + step + names.length) % names.length];
      show(next);
      buttons[next].focus();
    });
  }
  byId("zoom-in").addEventListener("click", () => picture.zoom(1.25));
  byId("zoom-out").addEventListener("click", () => picture.zoom(0.8));
  byId("zoom-fit").addEventListener("click", () => picture.fit());
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") canvas.focus();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    search.focus();
    search.select();
  });

  byId("graph-tool").classList.toggle("few", graph.locks.length <= 8);
  list.show(graph.edges);
  const { length } = graph.data.views.found.at;
  buttons.found.hidden = length === 0;
  show(length ? "found" : graph.edges.length > 400 ? "around" : "all");
  // Of a few, the first is shown at once; of many, the whole picture.
  if (length && length <= 8 && picture.view.edges.length) choose({ edge: picture.view.edges[0] }, false);
}

/** Opens what a link within the page leads to. */
function follow() {
  let id = "";
  try {
    id = decodeURIComponent(location.hash.slice(1));
  } catch {
    return;
  }
  for (let at = id && byId(id); at; at = at.parentElement) {
    if (at.tagName === "DETAILS") at.open = true;
  }
}

function openAll(open) {
  for (const each of document.querySelectorAll("details.finding")) each.open = open;
}

const drawn = readGraph();
if (drawn) setUp(drawn);
follow();
addEventListener("hashchange", follow);
if (byId("open-all")) {
  byId("open-all").addEventListener("click", () => openAll(true));
  byId("close-all").addEventListener("click", () => openAll(false));
}
// Paper shows everything; afterwards all is as it was.
let shut = [];
addEventListener("beforeprint", () => {
  shut = [...document.querySelectorAll("main details:not([open])")];
  for (const each of shut) each.open = true;
});
addEventListener("afterprint", () => {
  for (const each of shut) each.open = false;
});
document.documentElement.dataset.ready = performance.now().toFixed(0);
