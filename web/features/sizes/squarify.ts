/** A rectangle in a map, in parts of its width and height. */
export interface Box {
  start: number
  top: number
  width: number
  height: number
}

interface Area {
  x: number
  y: number
  width: number
  height: number
}

/**
 * Rectangles whose areas are as the values, as near to squares as may be: a squarified treemap after Bruls, Huizing and
 * van Wijk. They come in the order of the values, from the start and the top.
 * @param values none below 0, the largest first
 * @param aspect width of the map by its height
 */
export function squarify(values: readonly number[], aspect: number): Box[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total <= 0) return values.map(() => ({ start: 0, top: 0, width: 0, height: 0 }))
  const boxes: Box[] = []
  let rest: Area = { x: 0, y: 0, width: aspect, height: 1 }
  for (let from = 0; from < values.length; ) {
    const areas = values.slice(from).map(value => (value / total) * aspect)
    const row = areas.slice(0, rowLength(areas, Math.min(rest.width, rest.height)))
    const laid = layRow(row, rest)
    boxes.push(...laid.map(({ x, y, width, height }) => ({ start: x / aspect, top: y, width: width / aspect, height })))
    rest = restOf(rest, row)
    from += row.length
  }
  return boxes
}

/** How many of the areas stand best in one row along a side. */
function rowLength(areas: readonly number[], side: number): number {
  let sum = 0
  let best = Number.POSITIVE_INFINITY
  const [largest = 0] = areas
  for (const [index, area] of areas.entries()) {
    sum += area
    const worst = Math.max((side * side * largest) / (sum * sum), (sum * sum) / (side * side * area))
    if (index > 0 && !(worst <= best)) return index
    best = worst
  }
  return areas.length
}

/** Puts a row along the shorter side. */
function layRow(row: readonly number[], { x, y, width, height }: Area): Area[] {
  const sum = row.reduce((total, area) => total + area, 0)
  let passed = 0
  return row.map(area => {
    const share = sum > 0 ? area / sum : 0
    const before = passed
    passed += share
    return width >= height
      ? { x, y: y + before * height, width: thickness(sum, height), height: share * height }
      : { x: x + before * width, y, width: share * width, height: thickness(sum, width) }
  })
}

function restOf({ x, y, width, height }: Area, row: readonly number[]): Area {
  const sum = row.reduce((total, area) => total + area, 0)
  if (width >= height) {
    const used = thickness(sum, height)
    return { x: x + used, y, width: Math.max(0, width - used), height }
  }
  const used = thickness(sum, width)
  return { x, y: y + used, width, height: Math.max(0, height - used) }
}

const thickness = (area: number, side: number) => (side > 0 ? area / side : 0)
