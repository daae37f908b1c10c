/** The position of an image on its stage: `scale` 1 fits it in, `x` and `y` are CSS pixels from the centre. */
export interface View {
  scale: number
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

/** The dimensions for a view, in CSS pixels. */
export interface StageSize {
  stage: Size
  /** The fitted image. */
  fitted: Size
  /** Largest scale. */
  max: number
}

export const FITTED: View = { scale: 1, x: 0, y: 0 }

export const ZOOM_STEP = 0.25
const MIN_SCALE = 0.25
/** Largest difference of proportions that rounding explains. */
const PROPORTIONS = 0.02
const MAX_BEYOND_NATURAL = 4
/** The scales that a double click cycles through. */
const CYCLE = [1, 2, 4]

/** Fits an image into its stage; a small one keeps its size. */
export function stageSizeOf(stage: Size, natural: Size): StageSize {
  const width = Math.max(1, natural.width)
  const height = Math.max(1, natural.height)
  const ratio = Math.min(1, stage.width / width, stage.height / height)
  return {
    stage,
    fitted: { width: width * ratio, height: height * ratio },
    max: MAX_BEYOND_NATURAL + (ratio > 0 ? 1 / ratio : 1),
  }
}

/**
 * A stored size turned as the image is shown, which its metadata may rotate; what is shown where the two do not belong
 * together.
 */
export function uprightSize(stored: Size, shown: Size): Size {
  const turned = { width: stored.height, height: stored.width }
  const fits = ({ width, height }: Size) =>
    width >= shown.width && Math.abs((width * shown.height) / (height * shown.width) - 1) < PROPORTIONS
  return [stored, turned].find(fits) ?? shown
}

/** The view at another scale, with `point` (from the centre of the stage) staying in place. */
export function zoomAbout(view: View, wanted: number, point: Point, bounds: StageSize): View {
  const scale = Math.min(bounds.max, Math.max(MIN_SCALE, wanted))
  const grown = scale / view.scale
  return within({ scale, x: point.x - (point.x - view.x) * grown, y: point.y - (point.y - view.y) * grown }, bounds)
}

/** The view panned by an offset, limited so that no background shows next to an image larger than the stage. */
export function panBy(view: View, by: Point, bounds: StageSize): View {
  return within({ ...view, x: view.x + by.x, y: view.y + by.y }, bounds)
}

function within({ scale, x, y }: View, { stage, fitted }: StageSize): View {
  return { scale, x: clamp(x, fitted.width * scale - stage.width), y: clamp(y, fitted.height * scale - stage.height) }
}

function clamp(value: number, excess: number): number {
  const most = Math.max(0, excess / 2)
  return Math.min(most, Math.max(-most, value))
}

/** The scale after a double click: 1, 2, 4, and 1 again. */
export function nextInCycle(scale: number): number {
  return CYCLE.find(step => step > scale) ?? 1
}
