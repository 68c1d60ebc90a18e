// Where boxes and arrows lie in a view, what is under the pointer, and what is next to what.
// Coordinates are those of the layout; the picture moves and scales them.

/** A view: locks with their places, and the edges between them. */
class View {
  constructor(places, edges, width, height, boxHeight) {
    this.places = places; // Map: lock -> {x, y}
    this.width = Math.max(width, 1);
    this.height = Math.max(height, 1);
    this.boxHeight = boxHeight;
    this.edges = edges.filter((edge) => places.has(edge.from) && places.has(edge.to));
    this.curves = new Map(this.edges.map((edge) => [edge, this.curve(edge)]));
  }

  /** The points of a cubic curve: from the side of one box to the side of the other. */
  curve(edge) {
    const a = this.places.get(edge.from), b = this.places.get(edge.to);
    const left = edge.from.width / 2, right = edge.to.width / 2;
    if (edge.from === edge.to) {
      const top = a.y - this.boxHeight / 2;
      return [a.x - 14, top, a.x - 26, top - 30, a.x + 26, top - 30, a.x + 14, top - 3];
    }
    if (b.x - right > a.x + left) {
      const x1 = a.x + left, x2 = b.x - right - 4, bend = Math.max((x2 - x1) / 2, 30);
      return [x1, a.y - 5, x1 + bend, a.y - 5, x2 - bend, b.y - 5, x2, b.y - 5];
    }
    if (b.x + right < a.x - left) {
      const x1 = a.x - left, x2 = b.x + right + 4, bend = Math.max((x1 - x2) / 2, 30);
      return [x1, a.y + 6, x1 - bend, a.y + 16, x2 + bend, b.y + 16, x2, b.y + 6];
    }
    // Above each other: down on the right side, up on the left.
    const side = b.y > a.y ? 1 : -1;
    const x1 = a.x + left * side, x2 = b.x + (right + 4) * side;
    const out = (side > 0 ? Math.max(x1, x2) : Math.min(x1, x2)) + 46 * side;
    return [x1, a.y, out, a.y, out, b.y, x2, b.y];
  }

  lockAt(x, y) {
    for (const [lock, at] of this.places) {
      if (Math.abs(x - at.x) <= lock.width / 2 && Math.abs(y - at.y) <= this.boxHeight / 2) {
        return lock;
      }
    }
    return null;
  }

  /** The edge that is nearest, within `reach`. */
  edgeAt(x, y, reach) {
    let best = null, near = reach;
    for (const edge of this.edges) {
      const c = this.curves.get(edge);
      if (x < Math.min(c[0], c[2], c[4], c[6]) - reach || x > Math.max(c[0], c[2], c[4], c[6]) + reach ||
          y < Math.min(c[1], c[3], c[5], c[7]) - reach || y > Math.max(c[1], c[3], c[5], c[7]) + reach) {
        continue;
      }
      let from = [c[0], c[1]];
      for (let i = 1; i <= 20; i++) {
        const to = along(c, i / 20);
        const far = distance(x, y, from, to);
        if (far < near) [best, near] = [edge, far];
        from = to;
      }
    }
    return best;
  }

  /** The lock that an arrow key goes to: near, and rather straight on. */
  next(lock, dx, dy) {
    const from = this.places.get(lock);
    let best = null, least = Infinity;
    for (const [other, at] of this.places) {
      const x = at.x - from.x, y = at.y - from.y;
      const ahead = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (other === lock || ahead <= 1) continue;
      const cost = ahead + 2.5 * aside;
      if (cost < least) [best, least] = [other, cost];
    }
    return best;
  }
}

function along(c, t) {
  const u = 1 - t, a = u * u * u, b = 3 * u * u * t, d = 3 * u * t * t, e = t * t * t;
  return [a * c[0] + b * c[2] + d * c[4] + e * c[6], a * c[1] + b * c[3] + d * c[5] + e * c[7]];
}

function distance(x, y, [x1, y1], [x2, y2]) {
  const dx = x2 - x1, dy = y2 - y1, square = dx * dx + dy * dy;
  const t = square ? Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / square)) : 0;
  return Math.hypot(x - x1 - t * dx, y - y1 - t * dy);
}

/** A view that the page has the places of. */
function laidOut(graph, name) {
  const { width, height, at } = graph.data.views[name];
  const places = new Map(at.map(([id, x, y]) => [graph.locks[id], { x, y }]));
  const edges = name === "all" ? graph.edges : graph.edges.filter((edge) => edge.found.length);
  return new View(places, edges, width, height, graph.data.height);
}

/** A lock in the middle; what is held when it is taken on its left, what it is held for on its right. */
function around(graph, lock) {
  const pitch = 40, most = 24, gap = 110;
  const before = [...new Set(lock.in.map((edge) => edge.from))].filter((other) => other !== lock);
  const after = [...new Set(lock.out.map((edge) => edge.to))]
    .filter((other) => other !== lock && !before.includes(other));
  const places = new Map([[lock, { x: 0, y: 0 }]]);
  for (const [side, all] of [[-1, before], [1, after]]) {
    let x = (lock.width / 2 + gap) * side;
    for (let start = 0; start < all.length; start += most) {
      const column = all.slice(start, start + most);
      const width = Math.max(...column.map((other) => other.width));
      column.forEach((other, i) => {
        places.set(other, { x: x + (width / 2) * side, y: (i - (column.length - 1) / 2) * pitch });
      });
      x += (width + 50) * side;
    }
  }
  let left = 0, top = 0, right = 0, bottom = 0;
  for (const [other, at] of places) {
    left = Math.min(left, at.x - other.width / 2);
    right = Math.max(right, at.x + other.width / 2);
    top = Math.min(top, at.y - 40);
    bottom = Math.max(bottom, at.y + 20);
  }
  for (const at of places.values()) [at.x, at.y] = [at.x - left, at.y - top];
  const edges = ordersOf(lock);
  return new View(places, edges, right - left, bottom - top, graph.data.height);
}
