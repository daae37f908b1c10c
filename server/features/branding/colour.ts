import { COLOUR } from '../../../shared/api/settings.ts'

/** Red, green and blue from 0 to 1, in sRGB. */
export type Rgb = readonly [number, number, number]

/** Lightness from 0 to 1, chroma, and hue in degrees (CSS Color Level 4, 9.4). */
export interface Oklch {
  l: number
  c: number
  h: number
}

/** The step by which a colour outside the gamut loses chroma. */
const CHROMA_STEP = 0.004
/** Smaller than the last digit of a displayed colour. */
const TOLERANCE = 1e-4

/** Parses `#rgb` or `#rrggbb`; `undefined` for any other text. */
export function parseColour(text: string): Rgb | undefined {
  if (!COLOUR.test(text)) return undefined
  const digits = text.slice(1)
  const whole = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const value = Number.parseInt(whole, 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

/** The colour as `#rrggbb`. */
export const hexOf = (colour: Rgb): string =>
  `#${colour
    .map(part =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const luminance = (colour: Rgb): number => {
  const [red, green, blue] = linear(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function toOklch(colour: Rgb): Oklch {
  const [red, green, blue] = linear(colour)
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    c: Math.hypot(a, b),
    h: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
  }
}

/** The sRGB colour, rounded to 256 steps a channel; chroma is reduced until it is in gamut. */
export function fromOklch({ l, c, h }: Oklch): Rgb {
  for (let chroma = c; ; chroma -= CHROMA_STEP) {
    const colour = unclipped({ l, c: Math.max(0, chroma), h })
    const isShown = colour.every(part => part >= -TOLERANCE && part <= 1 + TOLERANCE)
    if (isShown || chroma <= 0) return colour.map(shown) as unknown as Rgb
  }
}

const shown = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * 255) / 255

function unclipped({ l, c, h }: Oklch): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    encode(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    encode(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    encode(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ]
}

const linear = (colour: Rgb) =>
  colour.map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as unknown as Rgb

const encode = (part: number) => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055)
