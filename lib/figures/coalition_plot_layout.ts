/** A place on the card, in pixels. */
export type Point = readonly [x: number, y: number];

/** A straight line and where its label stands on it. */
export interface DrawnEdge {
  readonly from: Point;
  readonly to: Point;
  readonly label: Point;
}

/** Where along a line a label may stand; the middle is tried first. */
const FRACTIONS = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];

/** Far enough from everything else for a label; more is no better. */
const CLEAR = 26;

/**
 * A place for each line's label: the one nearest to the middle that is clear of other lines and labels, or else the
 * clearest.
 */
export function layOutEdges(edges: readonly (readonly [Point, Point])[]): DrawnEdge[] {
  const placed: Point[] = [];
  return edges.map(([from, to], i) => {
    const others = edges.filter((_, j) => j !== i);
    const places = FRACTIONS.map((share): Point => [
      from[0] + share * (to[0] - from[0]),
      from[1] + share * (to[1] - from[1]),
    ]);
    const room = places.map((place) =>
      Math.min(
        CLEAR,
        ...placed.map((label) => Math.hypot(label[0] - place[0], label[1] - place[1])),
        // A label may come nearer to a foreign line than to a foreign label.
        ...others.map((other) => 1.7 * distanceToLine(place, other)),
      )
    );
    const label = places[room.indexOf(Math.max(...room))]!;
    placed.push(label);
    return { from, to, label };
  });
}

/** Distance of a point from a straight line between two points. */
function distanceToLine([x, y]: Point, [[x1, y1], [x2, y2]]: readonly [Point, Point]): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}
