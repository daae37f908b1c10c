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

/** Phrases that titles of tests avoid as well. */
const PHRASES_IN_TITLES: readonly (readonly [pattern: string, instead: string])[] = [
  ['films?', 'video'],
  ['pictures?', 'image'],
  ['strangers?', 'a visitor, a client without a session'],
  ['meanwhile', 'in the meantime'],
  ['look(?:s|ed)? (?:at|for|into|through)', 'views, searches, browses, filters'],
  ['gone through', 'browsed, parsed'],
  ['put off', 'scheduled'],
  ['mak(?:e|es) no sense', 'invalid'],
  ['with a sentence', 'with a message'],
  ['no barrier', 'no axe violations'],
]

const FOLDERS = ['bench', 'docs', 'scripts', 'server', 'shared', 'test', 'web']
const SOURCE = /\.(?:ts|tsx|mjs|css)$/
const TEXTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'web/locales/en.json']

const pattern = patternOf(PHRASES)
const patternInTitles = patternOf([...PHRASES, ...PHRASES_IN_TITLES])
const TESTS = /\.(?:test|slow)\.tsx?$/
const TITLE = /(?:\b(?:test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:(?!\1).)+)\1,/g

function patternOf(phrases: readonly (readonly [pattern: string, instead: string])[]): RegExp {
  return new RegExp(`\\b(?:${phrases.map(([source]) => spread(source)).join('|')})\\b`, 'gi')
}

/** Lets a phrase continue in the next line, also in that of a comment. */
function spread(source: string): string {
  return source.replaceAll(' ', '(?:\\s|\\*|//)+')
}

function checkedFiles(): string[] {
  const found = FOLDERS.flatMap(folder =>
    readdirSync(join(REPO, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  ).map(path => path.split(sep).join('/'))
  return [...found.filter(path => SOURCE.test(path) || /^docs\/.*\.md$/.test(path)), ...TEXTS]
}

/** Blocks of code, and the values of `access.passwordLogin`. */
const CODE = /^ *```[\s\S]*?^ *```|`(?:[^`\n]* )?(?:everybody|nobody)`/gm

/** The prose of a file with its offsets: comments, the values of a catalogue, Markdown without its code. */
function proseOf(path: string, text: string): { start: number; text: string }[] {
  if (SOURCE.test(path)) return commentsOf(path, text)
  if (path.endsWith('.md')) return [{ start: 0, text: text.replace(CODE, code => code.replace(/\S/g, ' ')) }]
  return [...text.matchAll(/(?<=": ").*/g)].map(found => ({ start: found.index, text: found[0] }))
}

/** The titles of tests and of their groups with their offsets. */
function titlesIn(path: string, text: string): { start: number; text: string }[] {
  if (!TESTS.test(path)) return []
  return [...text.matchAll(TITLE)].map(({ 0: found, 2: title = '', index }) => ({
    start: index + found.indexOf(title),
    text: title,
  }))
}

function hitsIn(path: string): string[] {
  const text = readFileSync(join(REPO, path), 'utf8')
  return [...findIn(proseOf(path, text), pattern), ...findIn(titlesIn(path, text), patternInTitles)]

  function findIn(parts: readonly { start: number; text: string }[], phrases: RegExp): string[] {
    return parts.flatMap(part =>
      [...part.text.matchAll(phrases)].map(found => hitOf(part.start + found.index, found[0])),
    )
  }
  function hitOf(at: number, phrase: string): string {
    const line = text.slice(0, at).split('\n').length
    return `${path}:${line}: "${phrase.replace(/\s+/g, ' ')}": ${insteadOf(phrase)}`
  }
}

function insteadOf(phrase: string): string | undefined {
  return [...PHRASES, ...PHRASES_IN_TITLES].find(([source]) =>
    new RegExp(`^(?:${spread(source)})$`, 'i').test(phrase),
  )?.[1]
}

test('comments, documents and titles of tests use the terms of the field', () => {
  const hits = checkedFiles().flatMap(hitsIn)
  const advice = 'Say who acts and what a caller may rely on, in plain technical English:'
  expect(hits.length === 0, [advice, ...hits].join('\n')).toBe(true)
})
