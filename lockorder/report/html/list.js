// The list of orders: only the rows that can be seen are in the page.
// Tells `chosen(edge, enter)`.

const ROW = 30;

class OrderList {
  constructor(outside, inner, chosen) {
    this.outside = outside;
    this.inner = inner;
    this.chosen = chosen;
    this.edges = [];
    this.at = -1;
    outside.addEventListener("scroll", () => this.draw(), { passive: true });
    outside.addEventListener("click", (event) => {
      const row = event.target.closest("[role=option]");
      if (row) this.go(Number(row.dataset.index), false);
    });
    outside.addEventListener("keydown", (event) => {
      const page = Math.max(1, Math.floor(outside.clientHeight / ROW) - 1);
      const steps = {
        ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
      };
      if (event.key in steps && this.edges.length) {
        const to = Math.max(0, Math.min(this.edges.length - 1, this.at + steps[event.key]));
        this.go(to, false);
      } else if ((event.key === "Enter" || event.key === " ") && this.at >= 0) {
        this.go(this.at, true);
      } else return;
      event.preventDefault();
    });
    outside.addEventListener("focus", () => {
      if (this.at < 0 && this.edges.length && outside.matches(":focus-visible")) this.go(0, false);
    });
    new ResizeObserver(() => this.draw()).observe(outside);
  }

  show(edges) {
    this.edges = edges;
    this.at = -1;
    this.inner.style.height = `${edges.length * ROW}px`;
    this.outside.scrollTop = 0;
    this.draw();
  }

  /** Marks an edge that was chosen elsewhere. */
  mark(edge) {
    this.at = edge ? this.edges.indexOf(edge) : -1;
    this.reveal();
    this.draw();
  }

  go(index, enter) {
    this.at = index;
    this.reveal();
    this.draw();
    this.chosen(this.edges[index], enter);
  }

  reveal() {
    if (this.at < 0) return;
    const top = this.at * ROW, { scrollTop, clientHeight } = this.outside;
    if (top < scrollTop) this.outside.scrollTop = top;
    else if (top + ROW > scrollTop + clientHeight) this.outside.scrollTop = top + ROW - clientHeight;
  }

  draw() {
    const { scrollTop, clientHeight } = this.outside;
    const first = Math.max(0, Math.floor(scrollTop / ROW) - 4);
    const last = Math.min(this.edges.length, Math.ceil((scrollTop + clientHeight) / ROW) + 4);
    const rows = [];
    for (let i = first; i < last; i++) rows.push(this.row(i));
    this.inner.replaceChildren(...rows);
    if (this.at >= first && this.at < last) {
      this.outside.setAttribute("aria-activedescendant", `order-${this.at}`);
    } else this.outside.removeAttribute("aria-activedescendant");
    if (!this.edges.length) this.inner.append(el("p", { class: "quiet" }, "No order has such a lock."));
  }

  row(index) {
    const edge = this.edges[index];
    const found = edge.found.map((finding) => finding.id + 1).join(", ");
    const row = el(
      "div",
      {
        role: "option", id: `order-${index}`, class: `row ${edge.level}`, "data-index": index,
        "aria-selected": String(index === this.at), "aria-posinset": index + 1,
        "aria-setsize": this.edges.length,
      },
      el("code", { title: edge.from.name }, edge.from.name),
      el("code", { title: edge.to.name }, edge.to.name),
      el("span", {}, String(edge.witnesses.length)),
      el("span", {}, found ? `finding ${found}` : ""),
    );
    row.style.top = `${index * ROW}px`;
    return row;
  }
}
