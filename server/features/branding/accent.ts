import { contrast, fromOklch, hexOf, type Oklch, parseColour, type Rgb, toOklch } from './colour.ts'

/** What a browser tints its frame with where no colour is set: the ground of the mark. */
const OWN_COLOUR = '#00707b'

/** Contrast that every text needs (WCAG 2.2, 1.4.3). */
const READABLE = 4.5
const STEP = 0.004

/** What the interface draws with an accent, in one theme. */
export interface Accent {
  accent: Rgb
  /** What is written on it. */
  ink: Rgb
  /** Ground of what is selected. */
  soft: Rgb
}

interface Ground {
  /** Grounds on which the accent is written. */
  grounds: readonly Oklch[]
  /** The faintest text that stands on the soft ground. */
  faintest: Oklch
  ink: Pick<Oklch, 'l' | 'c'>
  soft: Pick<Oklch, 'l' | 'c'>
  /** Where lightness goes until an accent can be read. */
  away: 1 | -1
}

/** The colours of `web/app/styles/tokens.css` that an accent has to go with. */
export const THEMES_OF_ACCENTS: Readonly<Record<'light' | 'dark', Ground>> = {
  light: {
    grounds: [
      { l: 0.985, c: 0.004, h: 95 },
      { l: 1, c: 0, h: 0 },
      { l: 0.965, c: 0.006, h: 95 },
    ],
    faintest: { l: 0.53, c: 0.02, h: 260 },
    ink: { l: 0.985, c: 0.01 },
    soft: { l: 0.945, c: 0.035 },
    away: -1,
  },
  dark: {
    grounds: [
      { l: 0.175, c: 0.012, h: 260 },
      { l: 0.215, c: 0.014, h: 260 },
      { l: 0.145, c: 0.012, h: 260 },
    ],
    faintest: { l: 0.69, c: 0.014, h: 260 },
    ink: { l: 0.19, c: 0.03 },
    soft: { l: 0.295, c: 0.05 },
    away: 1,
  },
}

/** The colour of a browser's frame; the interface's own for a text that is no colour. */
export function frameColour(text: string): string {
  const colour = parseColour(text)
  return colour ? hexOf(colour) : OWN_COLOUR
}

/** The rule that gives the interface a colour as its accent; `''` for a text that is no colour. */
export function accentRule(text: string): string {
  const colour = parseColour(text)
  if (!colour) return ''
  const [light, dark] = [accentOn('light', colour), accentOn('dark', colour)]
  const both = (part: keyof Accent) => `light-dark(${hexOf(light[part])},${hexOf(dark[part])})`
  return `:root{--accent:${both('accent')};--accent-ink:${both('ink')};--accent-soft:${both('soft')}}`
}

/** A colour as accent of a theme: as it is if it can be read there, else lighter or darker until it can. */
export function accentOn(theme: 'light' | 'dark', colour: Rgb): Accent {
  const { grounds, faintest, ink, soft, away } = THEMES_OF_ACCENTS[theme]
  const given = toOklch(colour)
  const tinted = ({ l, c }: Pick<Oklch, 'l' | 'c'>) => ({ l, c: Math.min(c, given.c), h: given.h })
  const under = readable(tinted(soft), [fromOklch(faintest)], -away)
  const written = fromOklch(tinted(ink))
  return {
    accent: readable(given, [...grounds.map(fromOklch), under, written], away),
    ink: written,
    soft: under,
  }
}

/** The first of ever lighter (or darker) colours that contrasts enough with all others. */
function readable(colour: Oklch, others: readonly Rgb[], away: number): Rgb {
  for (let { l } = colour; ; l += away * STEP) {
    const found = fromOklch({ ...colour, l: Math.min(1, Math.max(0, l)) })
    const isLast = away < 0 ? l <= 0 : l >= 1
    if (isLast || others.every(other => contrast(found, other) >= READABLE)) return found
  }
}
