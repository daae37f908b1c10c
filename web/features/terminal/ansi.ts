/** Style of a piece of output; colours are those of ECMA-48, 0 to 7, and their bright variants, 8 to 15. */
export interface AnsiStyle {
  color?: number
  ground?: number
  bold?: boolean
  dim?: boolean
  italic?: boolean
  underline?: boolean
  inverse?: boolean
  strike?: boolean
}

export interface AnsiPiece {
  text: string
  style: AnsiStyle
  /** Its offset in the line. */
  start: number
}

/** Select Graphic Rendition (ECMA-48, 8.3.117) with its parameters. */
const SGR = /\x1b\[([\d;:]*)m/g
/** All other escape sequences, and control characters except the tab. */
const OTHER = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?|[\x00-\x08\x0a-\x1f\x7f]/g

const PLAIN: AnsiStyle = Object.freeze({})

/** Parses lines of output in sequence: a style lasts until it is changed, also beyond the end of a line. */
export function ansiReader(): (line: string) => AnsiPiece[] {
  let style = PLAIN
  return line => {
    const pieces: AnsiPiece[] = []
    const push = (raw: string, start: number) => {
      const text = raw.replace(OTHER, '')
      if (text !== '') pieces.push({ text, style, start })
    }
    const shown = lastOverwrite(line)
    let at = 0
    for (const match of shown.matchAll(SGR)) {
      push(shown.slice(at, match.index), at)
      style = restyle(style, match[1] ?? '')
      at = match.index + match[0].length
    }
    push(shown.slice(at), at)
    return pieces
  }
}

/** The visible text of a line with carriage returns, as progress bars write it. */
function lastOverwrite(line: string): string {
  const bare = line.replace(/\r+$/, '')
  return bare.slice(bare.lastIndexOf('\r') + 1)
}

const SWITCHES: Readonly<Record<number, AnsiStyle>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
}

function restyle(before: AnsiStyle, parameters: string): AnsiStyle {
  const codes = parameters.split(/[;:]/).map(Number)
  let style = before
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    if (code === 38 || code === 48) {
      const { color, used } = extendedColor(codes.slice(at + 1))
      style = withColor(style, code === 38, color)
      at += used
    } else {
      style = applyCode(style, code)
    }
  }
  return style
}

function applyCode(style: AnsiStyle, code: number): AnsiStyle {
  if (code === 0) return PLAIN
  const change = SWITCHES[code]
  if (change) return { ...style, ...change }
  const tens = Math.floor(code / 10)
  const ones = code % 10
  if (tens === 3 || tens === 4) return withColor(style, tens === 3, ones <= 7 ? ones : undefined)
  if ((tens === 9 || tens === 10) && ones <= 7) return withColor(style, tens === 9, ones + 8)
  return style
}

function withColor(style: AnsiStyle, isText: boolean, color: number | undefined): AnsiStyle {
  const { color: oldColor, ground: oldGround, ...rest } = style
  const text = isText ? color : oldColor
  const background = isText ? oldGround : color
  return {
    ...rest,
    ...(text !== undefined && { color: text }),
    ...(background !== undefined && { ground: background }),
  }
}

/** `5;n` and `2;r;g;b` (ISO 8613-6), mapped to the nearest of the sixteen. */
function extendedColor(codes: readonly number[]): { color: number | undefined; used: number } {
  const [form, first = 0, second = 0, third = 0] = codes
  if (form === 2) return { color: nearest(first, second, third), used: 4 }
  if (form !== 5) return { color: undefined, used: 0 }
  return { color: first < 16 ? first : nearest(...paletteColor(first)), used: 2 }
}

/** Of the palette of 256: a 6×6×6 cube, then greys. */
function paletteColor(index: number): [number, number, number] {
  if (index >= 232) {
    const grey = 8 + 10 * (index - 232)
    return [grey, grey, grey]
  }
  const step = (of: number) => (of === 0 ? 0 : 55 + 40 * of)
  const cube = index - 16
  return [step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6)]
}

function nearest(red: number, green: number, blue: number): number {
  const strongest = Math.max(red, green, blue)
  if (strongest < 64) return 0
  const has = (part: number) => (part > strongest / 2 ? 1 : 0)
  const hue = has(red) + 2 * has(green) + 4 * has(blue)
  if (hue === 7 && strongest < 160) return 8
  return strongest > 200 && hue !== 7 ? hue + 8 : hue
}
