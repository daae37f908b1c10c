import { readdirSync, readFileSync } from 'node:fs'
import { inRepo } from './repo.mjs'

const PROPERTY =
  /^(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?:-[a-z]+)?|left|right|border-(?:top|bottom)-(?:left|right)-radius)$/
const VALUE = /^(?:text-align|float|clear|caption-side)$/
const DECLARATION = /(?:^|[{;])\s*([a-z-]+)\s*:\s*([^;{}]*)/g

/**
 * Looks for left and right in the style sheets: a page in a right-to-left language needs the logical properties
 * (`margin-inline-start`, `inset-inline-end`, `text-align: start`, …).
 * @returns {{ ok: boolean, output: string }}
 */
export function checkLogicalCss() {
  const files = readdirSync(inRepo('web'), { recursive: true }).filter(name => name.endsWith('.css'))
  const problems = files.flatMap(name =>
    physicalIn(readFileSync(inRepo('web', name), 'utf8')).map(text => `web/${name}:${text}`),
  )
  return { ok: problems.length === 0, output: problems.join('\n') }
}

/** The physical declarations of one style sheet, each as `line  declaration`. */
export function physicalIn(css) {
  const bare = css.replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, ' '))
  return [...bare.matchAll(DECLARATION)]
    .filter(([, name, value]) => PROPERTY.test(name) || (VALUE.test(name) && /\b(?:left|right)\b/.test(value)))
    .map(match => `${lineOf(bare, match.index + match[0].indexOf(match[1]))}  ${match[1]}: ${match[2].trim()}`)
}

const lineOf = (text, index) => text.slice(0, index).split('\n').length
