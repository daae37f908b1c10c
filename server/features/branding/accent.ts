import { contrast, fromOklch, hexOf, type Oklch, parseColour, type Rgb, toOklch } from './colour.ts'

/** The colour of the browser frame where no colour is set: the background of the logo. */
const OWN_COLOUR = '#00707b'

/** Contrast that every text needs (WCAG 2.2, 1.4.3). */
const READABLE = 4.5
const STEP = 0.004

/** The colours of an accent in one theme. */
export interface Accent {
  accent: Rgb
  /** Text on the accent. */
  ink: Rgb
  /** Background of selected items. */
  soft: Rgb
}

interface ThemeColours {
  /** Backgrounds on which the accent is used as text. */
  backgrounds: readonly Oklch[]
  /** The faintest text on the soft background. */
  faintest: Oklch
  ink: Pick<Oklch, 'l' | 'c'>
  soft: Pick<Oklch, 'l' | 'c'>
  /** The direction in which lightness moves until an accent is readable. */
  direction: 1 | -1
}

/** The colours of `web/app/styles/tokens.css` that an accent is combined with. */
export const THEMES_OF_ACCENTS: Readonly<Record<'light' | 'dark', ThemeColours>> = {
  light: {
    backgrounds: [
      { l: 0.985, c: 0.004, h: 95 },
      { l: 1, c: 0, h: 0 },
      { l: 0.965, c: 0.006, h: 95 },
    ],
    faintest: { l: 0.53, c: 0.02, h: 260 },
    ink: { l: 0.985, c: 0.01 },
    soft: { l: 0.945, c: 0.035 },
    direction: -1,
  },
  dark: {
    backgrounds: [
      { l: 0.175, c: 0.012, h: 260 },
      { l: 0.215, c: 0.014, h: 260 },
      { l: 0.145, c: 0.012, h: 260 },
    ],
    faintest: { l: 0.69, c: 0.014, h: 260 },
    ink: { l: 0.19, c: 0.03 },
    soft: { l: 0.295, c: 0.05 },
    direction: 1,
  },
}

/** The colour of the browser frame; the default for a text that is not a colour. */
export function frameColour(text: string): string {
  const colour = parseColour(text)
  return colour ? hexOf(colour) : OWN_COLOUR
}

/** The CSS rule that sets the accent colour; `''` for a text that is not a colour. */
export function accentRule(text: string): string {
  const colour = parseColour(text)
  if (!colour) return ''
  const [light, dark] = [accentOn('light', colour), accentOn('dark', colour)]
  const both = (part: keyof Accent) => `light-dark(${hexOf(light[part])},${hexOf(dark[part])})`
  return `:root{--accent:${both('accent')};--accent-ink:${both('ink')};--accent-soft:${both('soft')}}`
}

/** A colour as the accent of a theme: unchanged if it is readable there, otherwise lightened or darkened. */
export function accentOn(theme: 'light' | 'dark', colour: Rgb): Accent {
  const { backgrounds, faintest, ink, soft, direction } = THEMES_OF_ACCENTS[theme]
  const given = toOklch(colour)
  const tinted = ({ l, c }: Pick<Oklch, 'l' | 'c'>) => ({ l, c: Math.min(c, given.c), h: given.h })
  const under = readable(tinted(soft), [fromOklch(faintest)], -direction)
  const written = fromOklch(tinted(ink))
  return {
    accent: readable(given, [...backgrounds.map(fromOklch), under, written], direction),
    ink: written,
    soft: under,
  }
}

/** The first of ever lighter (or darker) colours with enough contrast to all others. */
function readable(colour: Oklch, others: readonly Rgb[], direction: number): Rgb {
  for (let { l } = colour; ; l += direction * STEP) {
    const found = fromOklch({ ...colour, l: Math.min(1, Math.max(0, l)) })
    const isLast = direction < 0 ? l <= 0 : l >= 1
    if (isLast || others.every(other => contrast(found, other) >= READABLE)) return found
  }
}
