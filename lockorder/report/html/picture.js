// The picture: a canvas that shows one view, moves, scales, and knows what is chosen.
// Tells `chosen(thing, enter)` where thing is {lock} or {edge}; enter: to be opened, too.

const MANY_EDGES = 800, FAR = 0.3;

class Picture {
  constructor(canvas, chosen) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.chosen = chosen;
    this.view = null;
    this.scale = 1;
    [this.x, this.y] = [0, 0];
    this.selected = {};
    this.hover = {};
    this.matches = null; // Set of locks, or null: nothing is searched for
    this.pending = false;
    this.listen();
  }

  show(view) {
    this.view = view;
    this.levels = {};
    for (const edge of view.edges) (this.levels[edge.level] ||= []).push(edge);
    this.whole = {};
    this.fit();
  }

  /** All edges of a level as one path. Of many, only those in sight; from far away, as lines. */
  path(level, seen) {
    const edges = this.levels[level], many = edges.length > MANY_EDGES, far = many && this.scale < FAR;
    if (!many || far) {
      const key = `${level}${far}`;
      return (this.whole[key] ||= this.traced(edges, far));
    }
    return this.traced(edges.filter((edge) => crosses(this.view.curves.get(edge), seen)), false);
  }

  traced(edges, straight) {
    const path = new Path2D();
    for (const edge of edges) {
      const c = this.view.curves.get(edge);
      if (straight) {
        path.moveTo(c[0], c[1]);
        path.lineTo(c[6], c[7]);
      } else trace(path, c);
    }
    return path;
  }

  select(thing) {
    this.selected = thing;
    this.reveal();
    this.draw();
  }

  fit() {
    const margin = 36, { clientWidth: w, clientHeight: h } = this.canvas;
    const room = Math.min((w - 2 * margin) / this.view.width, (h - 2 * margin) / this.view.height);
    this.scale = Math.max(0.02, Math.min(room, 1.15));
    this.x = (w - this.view.width * this.scale) / 2;
    this.y = (h - this.view.height * this.scale) / 2;
    this.draw();
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const scale = Math.max(0.02, Math.min(this.scale * factor, 4));
    this.x = x - (x - this.x) * (scale / this.scale);
    this.y = y - (y - this.y) * (scale / this.scale);
    this.scale = scale;
    this.draw();
  }

  /** Moves so that the lock that is chosen, or the edge's end, can be seen, and read. */
  reveal() {
    const lock = this.selected.lock || (this.selected.edge && this.selected.edge.to);
    const at = lock && this.view.places.get(lock);
    if (!at) return;
    const { clientWidth: w, clientHeight: h } = this.canvas;
    if (this.scale < 0.45) {
      this.scale = 0.8;
      [this.x, this.y] = [w / 2 - at.x * this.scale, h / 2 - at.y * this.scale];
      return;
    }
    const x = this.x + at.x * this.scale, y = this.y + at.y * this.scale;
    const side = (lock.width / 2) * this.scale + 12;
    if (x < side) this.x += side - x;
    if (x > w - side) this.x -= x - w + side;
    if (y < 30) this.y += 30 - y;
    if (y > h - 30) this.y -= y - h + 30;
  }

  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.paint();
    });
  }

  paint() {
    if (!this.view) return;
    const start = performance.now();
    const { canvas, context: c, view } = this;
    const ratio = window.devicePixelRatio || 1;
    const w = canvas.clientWidth, h = canvas.clientHeight;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
    }
    const style = getComputedStyle(canvas);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const colours = { "": colour("edge"), error: colour("error"), warning: colour("warning"), note: colour("note") };
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, w, h);
    c.setTransform(ratio * this.scale, 0, 0, ratio * this.scale, ratio * this.x, ratio * this.y);
    const seen = {
      left: -this.x / this.scale, top: -this.y / this.scale,
      right: (w - this.x) / this.scale, bottom: (h - this.y) / this.scale,
    };
    const fine = 1 / Math.min(this.scale, 1);
    const focus = this.selected.edge || this.selected.lock || this.matches;
    const lines = (level) => {
      if (!this.levels[level]) return;
      c.globalAlpha = (level ? 1 : 0.75) * (focus ? 0.35 : 1);
      c.lineWidth = (level ? 2 : 1.1) * fine;
      c.strokeStyle = colours[level];
      c.stroke(this.path(level, seen));
      if (this.scale < 0.3) return;
      c.fillStyle = colours[level];
      for (const edge of this.levels[level]) {
        if (inside(view.curves.get(edge), seen)) this.tip(view.curves.get(edge), 7);
      }
    };
    const lock = this.selected.lock || (!this.selected.edge && this.hover.lock);
    const bright = new Set(lock ? ordersOf(lock).filter((edge) => view.curves.has(edge)) : []);
    for (const edge of [this.selected.edge, this.hover.edge]) {
      if (edge && view.curves.has(edge)) bright.add(edge);
    }
    // From far away boxes are a texture, and findings have to be seen on it.
    const readable = this.scale > 0.28;
    lines("");
    if (!readable) this.boxes(seen, colour, bright, false);
    for (const level of ["note", "warning", "error"]) lines(level);
    c.globalAlpha = 1;
    for (const edge of bright) {
      const curve = view.curves.get(edge), path = new Path2D();
      trace(path, curve);
      c.lineWidth = (edge === this.selected.edge ? 3.5 : 2.2) * fine;
      c.strokeStyle = c.fillStyle = edge.level ? colours[edge.level] : colour("accent");
      c.stroke(path);
      this.tip(curve, 9 * fine);
    }
    if (readable) this.boxes(seen, colour, bright, true);
    canvas.dataset.paint = (performance.now() - start).toFixed(1);
  }

  boxes(seen, colour, bright, readable) {
    const { context: c, view } = this;
    const near = new Set([...bright].flatMap((edge) => [edge.from, edge.to]));
    const text = colour("text"), box = colour("box"), line = colour("box-line"), accent = colour("accent");
    const focus = near.size || this.matches;
    c.font = "12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.direction = "ltr";
    const plain = new Path2D(); // all that look alike at once: drawing each alone takes its time
    const special = [];
    for (const [lock, at] of view.places) {
      const w = lock.width, h = view.boxHeight, x = at.x - w / 2, y = at.y - h / 2;
      if (x > seen.right || x + w < seen.left || y > seen.bottom || y + h < seen.top) continue;
      const match = this.matches && this.matches.has(lock), chosen = this.selected.lock === lock;
      const marked = chosen || this.hover.lock === lock;
      if (readable || match || marked || near.has(lock) || lock.level) {
        special.push([lock, at, match, chosen, marked]);
      } else plain.rect(x, y, w, h);
    }
    c.globalAlpha = focus ? 0.4 : 1;
    c.fillStyle = box;
    c.strokeStyle = line;
    c.lineWidth = 1.2 / Math.min(this.scale, 1);
    c.fill(plain);
    c.stroke(plain);
    for (const [lock, at, match, chosen, marked] of special) {
      const w = lock.width, h = view.boxHeight, x = at.x - w / 2, y = at.y - h / 2;
      c.globalAlpha = !focus || near.has(lock) || match || chosen ? 1 : 0.4;
      c.fillStyle = match ? colour("match") : box;
      c.strokeStyle = marked ? accent : lock.level ? colour(lock.level) : line;
      c.lineWidth = (chosen ? 3 : 1.2) / Math.min(this.scale, 1);
      c.beginPath();
      c.roundRect(x, y, w, h, 6);
      c.fill();
      c.stroke();
      if (!readable) continue;
      c.fillStyle = text;
      c.fillText(lock.label, at.x, at.y + 0.5, w - 8);
    }
    c.globalAlpha = 1;
  }

  tip(curve, size) {
    const c = this.context, [x, y] = [curve[6], curve[7]];
    const angle = Math.atan2(y - curve[5], x - curve[4]);
    c.beginPath();
    c.moveTo(x + Math.cos(angle) * 3, y + Math.sin(angle) * 3);
    c.lineTo(x - size * Math.cos(angle - 0.45), y - size * Math.sin(angle - 0.45));
    c.lineTo(x - size * Math.cos(angle + 0.45), y - size * Math.sin(angle + 0.45));
    c.fill();
  }

  // -- pointer and keys ------------------------------------------------------------------------

  under(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = (event.clientX - box.left - this.x) / this.scale;
    const y = (event.clientY - box.top - this.y) / this.scale;
    const lock = this.view.lockAt(x, y);
    return lock ? { lock } : { edge: this.view.edgeAt(x, y, 7 / this.scale) || undefined };
  }

  listen() {
    const { canvas } = this;
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => {
      drag = { x: event.clientX, y: event.clientY, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.view) return;
      if (drag) {
        const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
        if (!drag.moved && Math.hypot(dx, dy) < 4) return;
        this.x += dx;
        this.y += dy;
        drag = { x: event.clientX, y: event.clientY, moved: true };
        this.draw();
        return;
      }
      const hover = this.under(event);
      if (hover.lock === this.hover.lock && hover.edge === this.hover.edge) return;
      this.hover = hover;
      canvas.classList.toggle("over", Boolean(hover.lock || hover.edge));
      canvas.title = hover.lock ? hover.lock.name : "";
      this.draw();
    });
    canvas.addEventListener("pointerup", (event) => {
      if (drag && !drag.moved && this.view) {
        const thing = this.under(event);
        this.chosen(thing.lock || thing.edge ? thing : {}, false);
      }
      drag = null;
    });
    canvas.addEventListener("pointerleave", () => {
      this.hover = {};
      this.draw();
    });
    canvas.addEventListener("dblclick", (event) => {
      const thing = this.under(event);
      if (thing.lock) this.chosen({ ...thing, centre: true }, true);
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      const step = event.deltaMode === 1 ? 20 : 1;
      this.zoom(Math.exp(-event.deltaY * step * 0.0015), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    canvas.addEventListener("focus", () => {
      if (!this.selected.lock && !this.selected.edge && this.view && canvas.matches(":focus-visible")) {
        const first = this.first();
        if (first) this.chosen({ lock: first }, false);
      }
    });
    canvas.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && this.key(event.key)) event.preventDefault();
    });
    new ResizeObserver(() => this.view && this.fit()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Left and on top. */
  first() {
    let best = null, least = Infinity;
    for (const [lock, at] of this.view.places) {
      if (at.x + at.y < least) [best, least] = [lock, at.x + at.y];
    }
    return best;
  }

  key(key) {
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const { lock, edge } = this.selected;
    if (arrows[key]) {
      if (edge) return this.step(edge, key);
      const to = lock ? this.view.next(lock, ...arrows[key]) : this.first();
      if (to) this.chosen({ lock: to }, false);
      return true;
    }
    if (key === "Enter" || key === " ") {
      if (edge) this.chosen({ edge, of: this.selected.of }, true);
      else if (lock) {
        const [order] = ordersOf(lock).filter((each) => this.view.curves.has(each));
        if (order) this.chosen({ edge: order, of: lock }, false);
      }
      return true;
    }
    if (key === "Escape" && (lock || edge)) {
      this.chosen(edge ? { lock: this.selected.of || edge.from } : {}, false);
      return true;
    }
    if (key === "+" || key === "=") this.zoom(1.25);
    else if (key === "-") this.zoom(0.8);
    else if (key === "0") this.fit();
    else return false;
    return true;
  }

  /** Up and down go through the orders of a lock, left and right to the ends of one. */
  step(edge, key) {
    if (key === "ArrowLeft") this.chosen({ lock: edge.from }, false);
    else if (key === "ArrowRight") this.chosen({ lock: edge.to }, false);
    else {
      const of = this.selected.of || edge.from;
      const all = ordersOf(of).filter((each) => this.view.curves.has(each));
      const next = all.indexOf(edge) + (key === "ArrowDown" ? 1 : -1);
      this.chosen({ edge: all[(next + all.length) % all.length], of }, false);
    }
    return true;
  }
}

function trace(path, c) {
  path.moveTo(c[0], c[1]);
  path.bezierCurveTo(c[2], c[3], c[4], c[5], c[6], c[7]);
}

/** Whether any of a curve may be. */
const crosses = (c, seen) =>
  Math.min(c[0], c[2], c[4], c[6]) < seen.right && Math.max(c[0], c[2], c[4], c[6]) > seen.left &&
  Math.min(c[1], c[3], c[5], c[7]) < seen.bottom && Math.max(c[1], c[3], c[5], c[7]) > seen.top;

/** Whether the end of a curve is where it can be seen. */
const inside = (c, seen) =>
  c[6] > seen.left - 20 && c[6] < seen.right + 20 && c[7] > seen.top - 20 && c[7] < seen.bottom + 20;
