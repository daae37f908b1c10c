/** How a picture lies on its ground: `scale` 1 fits it in, `x` and `y` are CSS pixels from the middle. */
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

/** What a view is measured against, in CSS pixels. */
export interface Ground {
  stage: Size
  /** The picture as it is fitted in. */
  fitted: Size
  /** Largest scale. */
  max: number
}

export const FITTED: View = { scale: 1, x: 0, y: 0 }

/** Specification section 9. */
export const ZOOM_STEP = 0.25
const MIN_SCALE = 0.25
const MAX_BEYOND_NATURAL = 4
/** What a double click goes through. */
const CYCLE = [1, 2, 4]

/** How a picture fits into its stage; a small one keeps its size. */
export function groundOf(stage: Size, natural: Size): Ground {
  const width = Math.max(1, natural.width)
  const height = Math.max(1, natural.height)
  const ratio = Math.min(1, stage.width / width, stage.height / height)
  return {
    stage,
    fitted: { width: width * ratio, height: height * ratio },
    max: MAX_BEYOND_NATURAL + (ratio > 0 ? 1 / ratio : 1),
  }
}

/** The view at another scale, with what is under `point` (from the middle of the stage) staying there. */
export function zoomAbout(view: View, wanted: number, point: Point, ground: Ground): View {
  const scale = Math.min(ground.max, Math.max(MIN_SCALE, wanted))
  const grown = scale / view.scale
  return within({ scale, x: point.x - (point.x - view.x) * grown, y: point.y - (point.y - view.y) * grown }, ground)
}

/** The view moved by so much, but not so far that ground shows beside a picture that is larger than it. */
export function panBy(view: View, by: Point, ground: Ground): View {
  return within({ ...view, x: view.x + by.x, y: view.y + by.y }, ground)
}

function within({ scale, x, y }: View, { stage, fitted }: Ground): View {
  return { scale, x: clamp(x, fitted.width * scale - stage.width), y: clamp(y, fitted.height * scale - stage.height) }
}

function clamp(value: number, excess: number): number {
  const most = Math.max(0, excess / 2)
  return Math.min(most, Math.max(-most, value))
}

/** The scale after this one when somebody clicks twice: 1, 2, 4, and 1 again. */
export function nextInCycle(scale: number): number {
  return CYCLE.find(step => step > scale) ?? 1
}
