/** The parts of a grid that its first rows do without. */
export { glideRows } from './glide.ts'
export { drawBand } from './rubber-band.ts'
