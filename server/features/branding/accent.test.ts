import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { accentOn, accentRule, frameColour, THEMES_OF_ACCENTS } from './accent.ts'
import { contrast, fromOklch, hexOf, type Oklch, parseColour, type Rgb, toOklch } from './colour.ts'

const TOKENS = readFileSync(new URL('../../../web/app/styles/tokens.css', import.meta.url), 'utf8')
const MARK = readFileSync(new URL('../../../web/app/icon.svg', import.meta.url), 'utf8')
const THEMES = ['light', 'dark'] as const

/** Every 36th value of each channel, which includes black, white, yellow and hues that are hard to fit. */
const COLOURS = [
  ...['#000000', '#ffffff', '#ffff00', '#808080', '#777777', '#2979ff', '#00ff00', '#0000ff', '#ff0000', '#fffffe'],
  ...grid([0, 36, 73, 109, 146, 182, 219, 255]),
]

function grid(parts: readonly number[]): string[] {
  return parts.flatMap(red =>
    parts.flatMap(green => parts.map(blue => hexOf([red / 255, green / 255, blue / 255] satisfies Rgb))),
  )
}

const rgb = (text: string): Rgb => parseColour(text) ?? [0, 0, 0]

/** A colour token of the style sheet, in one theme. */
function token(name: string, theme: 'light' | 'dark'): Rgb {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: light-dark\\(oklch\\((.*?)\\), oklch\\((.*?)\\)\\)`).exec(TOKENS) ?? []
  const [l = 0, c = 0, h = 0] = (theme === 'light' ? light : dark).split(' ').map(Number)
  return fromOklch({ l, c, h })
}

describe.each(THEMES)('in the %s theme', theme => {
  const backgrounds = ['canvas', 'surface', 'sunken'].map(name => token(name, theme))

  test('every colour becomes an accent that is readable on each background, and under its text', () => {
    const weak = COLOURS.filter(text => {
      const { accent, ink, soft } = accentOn(theme, rgb(text))
      return [...backgrounds, soft, ink].some(other => contrast(accent, other) < 4.5)
    })
    expect(weak).toEqual([])
  })

  test('every text is readable on the soft background of each colour', () => {
    const inks = ['ink', 'ink-2', 'ink-3'].map(name => token(name, theme))
    const weak = COLOURS.filter(text => inks.some(ink => contrast(accentOn(theme, rgb(text)).soft, ink) < 4.5))
    expect(weak).toEqual([])
  })

  test('the backgrounds are those of the style sheet', () => {
    const known = THEMES_OF_ACCENTS[theme].backgrounds.map(fromOklch)
    expect(known.map(hexOf)).toEqual(backgrounds.map(hexOf))
    expect(hexOf(fromOklch(THEMES_OF_ACCENTS[theme].faintest))).toBe(hexOf(token('ink-3', theme)))
  })
})

test.each([
  ['light', '#8a1c4a'],
  ['light', '#000000'],
  ['dark', '#7fc8ff'],
  ['dark', '#ffffff'],
] as const)('in the %s theme %s stays as it is', (theme, text) => {
  expect(hexOf(accentOn(theme, rgb(text)).accent)).toBe(text)
})

test('yellow keeps its hue when it has to be darkened', () => {
  const { h, l } = toOklch(accentOn('light', rgb('#ffff00')).accent)
  const given: Oklch = toOklch(rgb('#ffff00'))
  expect(Math.abs(h - given.h)).toBeLessThan(6)
  expect(l).toBeLessThan(given.l)
})

test('a colour becomes a rule for both themes', () => {
  expect(accentRule('#8A1C4A')).toMatch(
    /^:root\{--accent:light-dark\(#8a1c4a,#[0-9a-f]{6}\);--accent-ink:light-dark\(#\w{6},#\w{6}\);--accent-soft:light-dark\(#\w{6},#\w{6}\)\}$/,
  )
  expect(accentRule('#123')).toBe(accentRule('#112233'))
})

test.each(['', 'red', ' #123', '#123\n', '#12', '#12345', '#1234567', '}</style><script>', 'url(x)', '#fff;}', '#ggg'])(
  '%j is not a colour and gives no rule',
  text => {
    expect(accentRule(text)).toBe('')
    expect(frameColour(text)).toBe('#00707b')
  },
)

test('the browser frame has the colour itself, or that of the logo', () => {
  expect(frameColour('#FFF')).toBe('#ffffff')
  expect(MARK).toContain(`fill="${frameColour('')}"`)
})
