import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { commentsOf } from './architecture/imports.ts'

const REPO = fileURLToPath(new URL('..', import.meta.url))

/** Phrases, as patterns without regard to case and line breaks, and what to write instead. */
const PHRASES: readonly (readonly [pattern: string, instead: string])[] = [
  ['(?:some|any|every)body|nobody', 'the user, the client, no client, every user'],
  ['whoever', 'the caller, the client, users that'],
  ['tells?(?: \\w+)? of|tells|told', 'returns, reports, notifies, logs, lists; by default for "unless told"'],
  ['anew', 'again, from scratch'],
  ['(?:go|goes|going|gone|went) on(?: with)?', 'continues, resumes'],
  ['deeds?', 'operation'],
  ['spoilt', 'corrupt'],
  ['by itself|by themselves', 'automatically, on its own'],
  ['in one go', 'in one call, at once'],
  ['(?:is|are|was|were) away', 'unavailable'],
  ["(?:its|their|one's|whose) turns?", 'queued, in order, a slot of the semaphore'],
  ['beside', 'next to, in addition to'],
]

/**
 * How many of the phrases are left at most, by folder, while the texts are being rewritten. A folder that is missing here
 * has none. To lower the numbers, run the test with an empty map: its message has the numbers as they are.
 */
const LEFT: Readonly<Record<string, number>> = {
  // Titles of browser tests, which bench/web/journeys.mjs names by their beginnings.
  'docs/security': 2,
}

const FOLDERS = ['bench', 'docs', 'scripts', 'server', 'shared', 'test', 'web']
const SOURCE = /\.(?:ts|tsx|mjs|css)$/
const TEXTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'web/locales/en.json']

const pattern = new RegExp(`\\b(?:${PHRASES.map(([source]) => spread(source)).join('|')})\\b`, 'gi')

/** Lets a phrase continue in the next line, also in that of a comment. */
function spread(source: string): string {
  return source.replaceAll(' ', '(?:\\s|\\*|//)+')
}

interface Hit {
  area: string
  message: string
}

function checkedFiles(): string[] {
  const found = FOLDERS.flatMap(folder =>
    readdirSync(join(REPO, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  ).map(path => path.split(sep).join('/'))
  return [...found.filter(path => SOURCE.test(path) || /^docs\/.*\.md$/.test(path)), ...TEXTS]
}

/** The prose of a file with its offsets: comments, the values of a catalogue, Markdown without its blocks of code. */
function proseOf(path: string, text: string): { start: number; text: string }[] {
  if (SOURCE.test(path)) return commentsOf(path, text)
  if (path.endsWith('.md'))
    return [{ start: 0, text: text.replace(/^ *```[\s\S]*?^ *```/gm, code => code.replace(/\S/g, ' ')) }]
  return [...text.matchAll(/(?<=": ").*/g)].map(found => ({ start: found.index, text: found[0] }))
}

/** The first two folders of a path, or the file itself at the top. */
function areaOf(path: string): string {
  const folders = path.split('/').slice(0, -1)
  return folders.length === 0 ? path : folders.slice(0, 2).join('/')
}

function hitsIn(path: string): Hit[] {
  const text = readFileSync(join(REPO, path), 'utf8')
  return proseOf(path, text).flatMap(prose =>
    [...prose.text.matchAll(pattern)].map(({ 0: phrase, index }) => {
      const line = text.slice(0, prose.start + index).split('\n').length
      return { area: areaOf(path), message: `${path}:${line}: "${phrase.replace(/\s+/g, ' ')}": ${insteadOf(phrase)}` }
    }),
  )
}

function insteadOf(phrase: string): string | undefined {
  return PHRASES.find(([source]) => new RegExp(`^(?:${spread(source)})$`, 'i').test(phrase))?.[1]
}

const hits = Map.groupBy(checkedFiles().flatMap(hitsIn), hit => hit.area)

test('comments and documents use the terms of the field', () => {
  const excess = [...hits].filter(([area, found]) => found.length > (LEFT[area] ?? 0))
  const numbers = [...hits].map(([area, { length }]) => `  '${area}': ${length},`).sort()
  const advice = [
    'Say who acts and what a caller may rely on, in plain technical English:',
    ...excess.flatMap(([, found]) => found.map(({ message }) => message)),
    'All that is left, for LEFT in test/words.test.ts:',
    ...numbers,
  ]
  expect(excess.length === 0, advice.join('\n')).toBe(true)
})
