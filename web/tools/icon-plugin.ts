import { basename } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>]

const ICON = /\/lucide-react\/dist\/esm\/icons\/[^/]+\.mjs$/
/** Directional icons, mirrored in right-to-left text (`data-along` in base.css). */
const ALONG = new Set([
  'arrow-left',
  'arrow-right',
  'chevron-right',
  'corner-left-up',
  'external-link',
  'folder-input',
  'list',
  'list-checks',
  'log-out',
  'panel-left',
  'text-wrap',
  'undo-2',
])
const RUNTIME = fileURLToPath(new URL('../ui/icon.tsx', import.meta.url))
const NUMBER = String.raw`-?(?:\d+\.?\d*|\.\d+)`
const START = new RegExp(`^[Mm]\\s*(${NUMBER})[\\s,]*(${NUMBER})[\\s,]*`)

/**
 * Compiles the library's icons to one path each for `ui/icon.tsx`: its own components take several times as long to
 * create.
 */
export function iconPlugin(): Plugin {
  return {
    name: 'filigree:icons',
    enforce: 'pre',
    async load(id) {
      if (!ICON.test(id)) return null
      const { __iconData: data } = (await import(pathToFileURL(id).href)) as { __iconData?: { node: Shape[] } }
      // An alias of an icon: a re-export of the other module.
      if (!data) return null
      const path = JSON.stringify(data.node.map(pathOf).join(''))
      const given = ALONG.has(basename(id, '.mjs')) ? '{ "data-along": "", ...props }' : 'props'
      const code = `import { drawIcon } from ${JSON.stringify(RUNTIME)}\nexport default props => drawIcon(${path}, ${given})`
      return { code, moduleType: 'js', map: null }
    },
  }
}

/**
 * A shape as path data that may follow other data: it starts with an absolute "move to".
 * @throws Error for an unsupported shape or attribute
 */
export function pathOf([tag, { key: _, fill, ...attributes }]: Shape): string {
  // The stroke of a dot covers its inside anyway.
  const isDot = tag === 'circle' && Number(attributes.r) <= 1
  if (fill !== undefined && !(isDot && fill === 'currentColor')) throw new Error(`An icon is filled: ${tag}`)
  const { d, points, ...rest } = attributes
  if (tag === 'path' && d !== undefined && isEmpty(rest)) return startAbsolute(d)
  if (tag === 'polyline' && points !== undefined && isEmpty(rest)) return startAbsolute(`M${points}`)
  const lengths = Object.fromEntries(Object.entries(attributes).map(([name, text]) => [name, Number(text)]))
  const shape = SHAPES[tag]
  const known =
    shape && Object.entries(lengths).every(([name, length]) => shape.has.includes(name) && Number.isFinite(length))
  if (!known) throw new Error(`An icon has a shape unknown so far: ${tag} ${Object.keys(attributes).join(' ')}`)
  return shape.path((name, fallback = 0) => lengths[name] ?? fallback)
}

type LengthOf = (name: string, fallback?: number) => number

/** Converters of other shapes by their attributes, which are lengths (SVG 2 sections 10.2 to 10.5). */
const SHAPES: Record<string, { has: string[]; path: (length: LengthOf) => string }> = {
  line: { has: ['x1', 'y1', 'x2', 'y2'], path: of => `M${of('x1')} ${of('y1')}L${of('x2')} ${of('y2')}` },
  circle: { has: ['cx', 'cy', 'r'], path: of => ellipse(of('cx'), of('cy'), of('r'), of('r')) },
  ellipse: { has: ['cx', 'cy', 'rx', 'ry'], path: of => ellipse(of('cx'), of('cy'), of('rx'), of('ry')) },
  rect: { has: ['x', 'y', 'width', 'height', 'rx', 'ry'], path: rectangle },
}

function ellipse(cx: number, cy: number, rx: number, ry: number): string {
  const half = (sign: string) => `a${rx} ${ry} 0 1 1 ${sign}${2 * rx} 0`
  return `M${cx - rx} ${cy}${half('')}${half('-')}z`
}

function rectangle(of: LengthOf): string {
  const rx = of('rx', of('ry'))
  const ry = of('ry', rx)
  const corner = (x: number, y: number) => (rx > 0 ? `a${rx} ${ry} 0 0 1 ${x} ${y}` : '')
  const [across, down] = [of('width') - 2 * rx, of('height') - 2 * ry]
  const upper = `M${of('x') + rx} ${of('y')}h${across}${corner(rx, ry)}v${down}`
  return `${upper}${corner(-rx, ry)}h${-across}${corner(-rx, -ry)}v${-down}${corner(rx, -ry)}z`
}

/** At the start of a path a relative "move to" is absolute, the pairs after it are relative lines (section 9.3.3). */
function startAbsolute(d: string): string {
  const [start, x, y] = START.exec(d) ?? []
  if (start === undefined) throw new Error(`An icon starts without a "move to": ${d}`)
  const rest = d.slice(start.length)
  const line = /^[\d.-]/.test(rest) ? (d.startsWith('m') ? 'l' : 'L') : ''
  return `M${x} ${y}${line}${rest}`
}

function isEmpty(attributes: object): boolean {
  return Object.keys(attributes).length === 0
}
