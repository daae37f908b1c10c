import sharp from 'sharp'

/** Colours of a landscape: the sky from top to horizon, the sun, the hills from far to near. */
interface Palette {
  sky: readonly [string, string, string]
  sun: string
  hills: readonly string[]
}

const PALETTES = {
  dawn: {
    sky: ['#3b4a7a', '#d98f8a', '#f8d9a8'],
    sun: '#fff2cf',
    hills: ['#a8839a', '#7c6488', '#524a70', '#2f3152', '#1b1f38'],
  },
  noon: {
    sky: ['#3f86c6', '#8fc3e6', '#e4f2f4'],
    sun: '#ffffff',
    hills: ['#a9c7cf', '#7fa9a6', '#55866f', '#35654d', '#1f4636'],
  },
  dusk: {
    sky: ['#1f2450', '#8a3f6b', '#f19a5b'],
    sun: '#ffd28a',
    hills: ['#8d4a68', '#643759', '#432a4b', '#2a1f3a', '#171428'],
  },
  night: {
    sky: ['#070d22', '#15244a', '#36527c'],
    sun: '#f2f4e6',
    hills: ['#2b4166', '#1f3152', '#152440', '#0d182d', '#070e1c'],
  },
  autumn: {
    sky: ['#7d93a6', '#c9cfc9', '#f3e6c8'],
    sun: '#fff7dd',
    hills: ['#c8a878', '#b5814d', '#945a34', '#693e2a', '#3f2a22'],
  },
  sea: {
    sky: ['#5aa5c4', '#a9d9df', '#f6efd9'],
    sun: '#fffbe8',
    hills: ['#8cc4cc', '#5aa3b4', '#34809a', '#1f5f7c', '#12435c'],
  },
} satisfies Record<string, Palette>

export type Light = keyof typeof PALETTES

/** A deterministic random generator, from 0 to 1. */
function dice(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.abs(state) / 4_294_967_296
  }
}

/** The size in pixels, 1200 × 900 by default, and the time that the EXIF data names, if any. */
export interface LandscapeOptions {
  width?: number
  height?: number
  taken?: Date
}

/** A JPEG of a landscape, deterministic for a light and a seed. */
export function landscape(light: Light, seed: number, options: LandscapeOptions = {}): Promise<Buffer> {
  const { width = 1200, height = 900, taken } = options
  const { sky, sun, hills } = PALETTES[light]
  const roll = dice(seed)
  const sunX = width * (0.2 + 0.6 * roll())
  const sunY = height * (0.2 + 0.25 * roll())
  const ridges = hills.map((colour, index) => {
    const base = height * (0.48 + 0.12 * index)
    return `<path d="${ridge(roll, width, height, base, height * (0.13 - 0.015 * index))}" fill="${colour}"/>`
  })
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>
      <linearGradient id="sky" x2="0" y2="1">
        <stop offset="0" stop-color="${sky[0]}"/><stop offset="0.45" stop-color="${sky[1]}"/><stop offset="0.75" stop-color="${sky[2]}"/>
      </linearGradient>
      <radialGradient id="glow"><stop offset="0" stop-color="${sun}" stop-opacity="0.9"/><stop offset="1" stop-color="${sun}" stop-opacity="0"/></radialGradient>
    </defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    <circle cx="${sunX}" cy="${sunY}" r="${height * 0.4}" fill="url(#glow)"/>
    <circle cx="${sunX}" cy="${sunY}" r="${height * 0.055}" fill="${sun}"/>
    ${ridges.join('')}
  </svg>`
  const image = sharp(Buffer.from(drawing)).jpeg({ quality: 84 })
  return (taken === undefined ? image : image.withExif(exifOf(taken))).toBuffer()
}

function exifOf(taken: Date) {
  const text = taken.toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ')
  return { IFD0: { Make: 'Filigree', Model: 'Sample' }, IFD2: { DateTimeOriginal: text } }
}

/** The outline of a range of hills, closed at the bottom. */
function ridge(roll: () => number, width: number, height: number, base: number, rise: number): string {
  const waves = [1, 2.3, 5.1].map(times => ({ times, phase: roll() * 7, share: rise / times }))
  const points = Array.from({ length: 61 }, (_, step) => {
    const x = (width * step) / 60
    const y = waves.reduce(
      (sum, { times, phase, share }) => sum - share * Math.sin((x / width) * times * 5 + phase),
      base,
    )
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return `M0,${height} L${points.join(' L')} L${width},${height} Z`
}
