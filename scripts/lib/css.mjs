import { readdirSync, readFileSync } from 'node:fs'
import { inRepo } from './repo.mjs'

const PROPERTY =
  /^(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?:-[a-z]+)?|left|right|border-(?:top|bottom)-(?:left|right)-radius)$/
const VALUE = /^(?:text-align|float|clear|caption-side)$/
/** Shorthands that name the sides clockwise from the top, so that the second value is right and the fourth is left. */
const SIDES = /^(?:margin|padding|inset|scroll-margin|scroll-padding|border-(?:width|style|color))$/
const INLINE_STYLE = /\b(?:margin|padding|border)(?:Left|Right)\b|style=\{\{[^}]*\b(?:left|right)\s*:/g
const DECLARATION = /(?:^|[{;])\s*([a-z-]+)\s*:\s*([^;{}]*)/g

/**
 * Finds left and right in the style sheets: a page in a right-to-left language needs the logical properties
 * (`margin-inline-start`, `inset-inline-end`, `text-align: start`, …).
 * @returns {{ ok: boolean, output: string }}
 */
export function checkLogicalCss() {
  const problems = readdirSync(inRepo('web'), { recursive: true })
    .filter(name => /\.(?:css|tsx)$/.test(name))
    .flatMap(name => {
      const find = name.endsWith('.css') ? physicalIn : physicalStylesIn
      return find(readFileSync(inRepo('web', name), 'utf8')).map(text => `web/${name}:${text}`)
    })
  return { ok: problems.length === 0, output: problems.join('\n') }
}

/** The physical declarations of one style sheet, each as `line  declaration`. */
export function physicalIn(css) {
  const bare = css.replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, ' '))
  return [...bare.matchAll(DECLARATION)]
    .filter(([, name, value]) => isPhysical(name, value.trim()))
    .map(match => `${lineOf(bare, match.index + match[0].indexOf(match[1]))}  ${match[1]}: ${match[2].trim()}`)
}

/** The same for styles written into a component. */
export function physicalStylesIn(source) {
  return [...source.matchAll(INLINE_STYLE)].map(match => `${lineOf(source, match.index)}  ${match[0].trim()}`)
}

function isPhysical(name, value) {
  if (PROPERTY.test(name)) return true
  if (VALUE.test(name)) return /\b(?:left|right)\b/.test(value)
  const [first, second = first, third = first, fourth = second] =
    value.match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? []
  if (SIDES.test(name)) return second !== fourth
  return name === 'border-radius' && (first !== second || third !== fourth)
}

const lineOf = (text, index) => text.slice(0, index).split('\n').length
