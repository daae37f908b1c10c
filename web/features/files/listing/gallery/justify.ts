/** A row of images: those before `to`, from the end of the row above on; their height in CSS pixels. */
export interface JustifiedRow {
  to: number
  height: number
}

export interface JustifyOptions {
  /** Of a row, and the space between images, in CSS pixels. */
  width: number
  gap: number
  /** Wanted height of the rows. */
  height: number
  /** Whether other images follow below: then the last row is as wide as the others. */
  goesOn: boolean
}

/** The lowest row, by the wanted height; a single image wider than that has a lower row. */
const LOWEST = 0.5
/** The highest row: one that would be higher is not as wide as the others. */
const HIGHEST = 1.6

/**
 * Divides images into rows of the same width in which all keep their proportions, so that the heights differ as
 * little as possible from the wanted one.
 * @param ratios width divided by height, of each image
 */
export function justify(ratios: readonly number[], options: JustifyOptions): JustifiedRow[] {
  const { width, gap, height, goesOn } = options
  // The best rows for the first images, by their number: the sum of the deviations, and where the last row begins.
  const best: { cost: number; from: number; height: number }[] = [{ cost: 0, from: 0, height: 0 }]
  for (let to = 1; to <= ratios.length; to += 1) {
    let found = { cost: Number.POSITIVE_INFINITY, from: to - 1, height }
    let sum = 0
    for (let from = to - 1; from >= 0; from -= 1) {
      sum += ratios[from] ?? 1
      const full = Math.max(1, (width - gap * (to - from - 1)) / sum)
      if (full < height * LOWEST && from < to - 1) break
      const isShort = full > height && to === ratios.length && !goesOn
      const cost = (best[from]?.cost ?? 0) + (isShort ? 0 : Math.log(full / height) ** 2)
      if (cost < found.cost) found = { cost, from, height: isShort ? height : Math.min(full, height * HIGHEST) }
    }
    best.push(found)
  }
  const rows: JustifiedRow[] = []
  for (let to = ratios.length; to > 0; to = best[to]?.from ?? 0) rows.push({ to, height: best[to]?.height ?? height })
  return rows.reverse()
}
