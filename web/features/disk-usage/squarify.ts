import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy'

/** A rectangle in a treemap, in fractions of its width and height. */
export interface Box {
  start: number
  top: number
  width: number
  height: number
}

interface Node {
  value?: number
  children?: Node[]
}

/**
 * Squarified treemap layout: rectangles with areas proportional to the values, as near to squares as possible, in the
 * order of the values from the start and the top.
 * @param values none below 0, largest first
 * @param aspect the map's width divided by its height
 */
export function squarify(values: readonly number[], aspect: number): Box[] {
  const root = hierarchy<Node>({ children: values.map(value => ({ value })) }).sum(({ value = 0 }) => value)
  const layOut = treemap<Node>().tile(treemapSquarify.ratio(1)).size([aspect, 1])
  const tiles = layOut(root).children ?? []
  return tiles.map(({ x0, y0, x1, y1 }) => ({
    start: x0 / aspect,
    top: y0,
    width: (x1 - x0) / aspect,
    height: y1 - y0,
  }))
}
