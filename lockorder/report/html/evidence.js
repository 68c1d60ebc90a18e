// What is shown beside the picture: the stacks of an order, or the orders of a lock.

const MANY = 100; // orders of a lock that are listed

class Evidence {
  constructor(place, graph, actions) {
    this.place = place;
    this.graph = graph;
    this.actions = actions; // edge(edge), lock(lock), centre(lock)
  }

  clear() {
    this.place.replaceChildren(
      el("p", { class: "quiet" }, "Choose an order, in the picture or in the list: this is where its two stacks are shown."),
    );
  }

  lock(lock) {
    const centre = el("button", { type: "button" }, "Draw around it");
    centre.addEventListener("click", () => this.actions.centre(lock));
    this.place.replaceChildren(
      el("h3", {}, el("code", { class: "name" }, lock.name)),
      el("p", { class: "quiet" }, lock.kind, lock.place ? `, declared at ${lock.place}` : ""),
      el("p", {}, centre),
      ...this.orders("Taken under it", lock.out, "to"),
      ...this.orders("Held when it is taken", lock.in, "from"),
    );
    this.place.scrollTop = 0;
  }

  orders(title, edges, end) {
    if (!edges.length) return [];
    const items = edges.slice(0, MANY).map((edge) => {
      const button = el("button", { type: "button", class: `link ${edge.level}` }, el("code", {}, edge[end].name));
      button.addEventListener("click", () => this.actions.edge(edge));
      return el("li", {}, button);
    });
    if (edges.length > MANY) items.push(el("li", { class: "quiet" }, `and ${edges.length - MANY} more`));
    return [el("h4", {}, `${title} (${edges.length})`), el("ul", { class: "orders" }, ...items)];
  }

  edge(edge) {
    const ends = [edge.from, edge.to].map((lock) => {
      const button = el("button", { type: "button", class: "link" }, el("code", {}, lock.name));
      button.addEventListener("click", () => this.actions.lock(lock));
      return button;
    });
    const found = edge.found.map((finding) =>
      el("p", { class: `of ${finding.level}` }, el("a", { href: `#finding-${finding.id + 1}` }, `Finding ${finding.id + 1}`), ` ${finding.message}`));
    this.place.replaceChildren(
      el("h3", {}, ends[0], el("span", { class: "then" }, " then "), ends[1]),
      ...found,
      ...edge.witnesses.map((witness, i) => this.witness(edge, witness, i)),
    );
    this.place.scrollTop = 0;
  }

  witness(edge, [heldHow, held, takenHow, taken, gates, thread, certainty, why], index) {
    const how = (text) => (text ? ` (${text})` : "");
    const sure = { 3: "", 2: "one step is one of several possible targets", 1: "a step was joined by name alone", 0: "a step is one of many possible targets" };
    const parts = [
      el("h4", {}, thread ? `${index + 1}. in ${thread}` : `${index + 1}. any number of threads`),
      el("p", { class: "says hold" }, `holds ${edge.from.name}${heldHow ? how(heldHow) : ""}`),
      this.chain(held),
      el("p", { class: "says take" }, `takes ${edge.to.name}${how(takenHow)}`),
      this.chain(taken),
    ];
    if (gates.length) {
      const names = gates.map((gate) => (typeof gate === "number" ? this.graph.locks[gate].name : gate));
      parts.push(el("p", { class: "quiet" }, `also held: ${names.join(", ")}`));
    }
    const doubt = [sure[certainty], why].filter(Boolean).join("; ");
    if (doubt) parts.push(el("p", { class: "quiet" }, doubt));
    return el("div", { class: "witness" }, ...parts);
  }

  chain(number) {
    const frames = this.graph.data.chains[number].map((frame) => this.graph.data.frames[frame]);
    if (!frames.length) return el("p", { class: "quiet" }, "where is not known");
    return el("ol", { class: "chain" }, ...frames.map(([name, place, source]) =>
      el("li", {},
        el("code", { class: "name" }, name), " ", el("span", { class: "place" }, place),
        source ? el("pre", { class: "source", dir: "ltr" }, source) : "")));
  }
}
