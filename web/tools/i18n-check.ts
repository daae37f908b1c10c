import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LOCALES } from '../../shared/locales.ts'
import { compileMessage, type MessageShape, readCatalogue, shapeOf } from './catalogue.ts'
import { checkChunks } from './chunks-check.ts'
import { GENERATED_TYPES, SOURCE_CATALOGUE, typesOf } from './i18n-types.ts'
import { checkTypography } from './typography.ts'
import { UNTRANSLATED } from './untranslated.ts'

const WEB = fileURLToPath(new URL('..', import.meta.url))

/** A key in the source code: `'auth.title'`, whether in a call of `t` or in a list. */
const KEY = /['"`]([a-z][A-Za-z]*(?:\.[a-z][A-Za-z0-9]*)+)['"`]/g

/** The prefix of a composed key: `uploads.state.${state}`. */
const KEY_START = /`([a-z][A-Za-z]*(?:\.[a-zA-Z0-9]+)*\.)\$\{/g

/** All errors in the texts, one line each. */
export function checkTexts(): string[] {
  const english = readCatalogue(SOURCE_CATALOGUE)
  const sources = readSources()
  const current = existsSync(GENERATED_TYPES) && readFileSync(GENERATED_TYPES, 'utf8') === typesOf(english)
  return [
    ...(current ? [] : ['web/lib/i18n/arguments.gen.ts is not current: run web/tools/i18n-types.ts']),
    ...checkUse(english, [...sources.values()].join('\n')),
    ...checkChunks(sources, Object.keys(english)),
    ...checkFiles(
      globSync('locales/*.json', { cwd: WEB }),
      LOCALES.map(({ code }) => code),
    ),
    ...LOCALES.flatMap(locale => checkLocale(locale, english)),
  ]
}

/** The source files by path below `web/`. */
function readSources(): Map<string, string> {
  const files = globSync('{app,features,lib,ui}/**/*.{ts,tsx}', { cwd: WEB })
  const sources = files.filter(file => !/\.test\.tsx?$|\.gen\.ts$/.test(file))
  return new Map(sources.map(file => [file.replaceAll('\\', '/'), readFileSync(`${WEB}/${file}`, 'utf8')]))
}

/** Unused keys, and used keys without a text. */
export function checkUse(catalogue: Record<string, string>, source: string): string[] {
  const areas = new Set(Object.keys(catalogue).map(key => key.split('.')[0]))
  const used = new Set([...source.matchAll(KEY)].map(match => match[1] ?? ''))
  const starts = [...source.matchAll(KEY_START)].map(match => match[1] ?? '')
  const isUsed = (key: string) => used.has(key) || starts.some(start => key.startsWith(start))
  const unused = Object.keys(catalogue).filter(key => !isUsed(key))
  const called = [...source.matchAll(/\bt\(\s*['"]([^'"]+)['"]/g)].map(match => match[1] ?? '')
  const labels = [...source.matchAll(/\b\w*[kK]ey: ['"]([^'"]+)['"]/g)].map(match => match[1] ?? '')
  const wanted = [...called, ...labels.filter(key => areas.has(key.split('.')[0]))]
  const missing = [...new Set(wanted)].filter(key => catalogue[key] === undefined)
  return [...unused.map(key => `en: ${key} is not used`), ...missing.map(key => `en: ${key} is missing`)]
}

function checkLocale(locale: (typeof LOCALES)[number], english: Record<string, string>): string[] {
  const file = `${WEB}/locales/${locale.code}.json`
  if (!existsSync(file)) return [`${locale.code}: no catalogue`]
  const catalogue = readCatalogue(file)
  const problems = checkCatalogue(locale.code, locale.tag, catalogue, english)
  if (locale.code === 'en') return problems
  const same = checkSame(locale.code, catalogue, english, UNTRANSLATED)
  return [...problems, ...same, ...checkTypography(locale.code, catalogue)]
}

/** Catalogues of languages that cannot be selected. */
export function checkFiles(files: readonly string[], codes: readonly string[]): string[] {
  const strays = files.map(file => basename(file, '.json')).filter(code => !codes.includes(code))
  return strays.map(code => `${code}: is not in shared/locales.ts`)
}

/**
 * Texts equal to English that are not listed as such. A text without letters of its own need not be listed.
 * @param words English texts that stay the same, by locale; those under `all` in any locale
 */
export function checkSame(
  code: string,
  catalogue: Record<string, string>,
  english: Record<string, string>,
  words: Readonly<Record<string, readonly string[]>>,
): string[] {
  const own = words[code] ?? []
  const allowed = new Set([...own, ...(words.all ?? [])])
  const same = Object.entries(catalogue).filter(([key, text]) => text === english[key] && hasWords(text))
  const kept = new Set(same.map(([, text]) => text))
  return [
    ...same.filter(([, text]) => !allowed.has(text)).map(([key, text]) => `${code}: ${key} is as in English: ${text}`),
    ...own.filter(word => !kept.has(word)).map(word => `${code}: “${word}” is listed as the same but is not`),
  ]
}

/** Whether a message contains text besides plain arguments. */
function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(/\{\w+\}/g, ''))
}

/** Compares keys, arguments, plural categories and markup of a catalogue with the English one. */
export function checkCatalogue(
  code: string,
  tag: string,
  catalogue: Record<string, string>,
  english: Record<string, string>,
): string[] {
  const missing = Object.keys(english).filter(key => catalogue[key] === undefined)
  const surplus = Object.keys(catalogue).filter(key => english[key] === undefined)
  const shared = Object.keys(catalogue).filter(key => english[key] !== undefined)
  return [
    ...missing.map(key => `${code}: ${key} is missing`),
    ...surplus.map(key => `${code}: ${key} is not in the English catalogue`),
    ...shared.flatMap(key =>
      checkMessage(tag, key, catalogue[key] ?? '', english[key] ?? '').map(line => `${code}: ${line}`),
    ),
  ]
}

function checkMessage(tag: string, key: string, text: string, english: string): string[] {
  const problems: string[] = []
  if (text.trim() === '') problems.push(`${key} is empty`)
  if (/<\/?[a-z]/i.test(text)) problems.push(`${key} holds markup`)
  try {
    const shape = shapeOf(compileMessage(key, text))
    const names = argumentNames(shape)
    const wanted = argumentNames(shapeOf(compileMessage(key, english)))
    if (names !== wanted) problems.push(`${key} has the arguments {${names}} instead of {${wanted}}`)
    problems.push(...missingCategories(tag, key, shape))
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
  }
  return problems
}

/** With its type unless it is a string: a number formatted plainly in one language would lack its separators. */
function argumentNames(shape: MessageShape): string {
  const names = [...shape.args].map(([name, type]) => (type === 'string' ? name : `${name}: ${type}`))
  return names.toSorted().join(', ')
}

/** Every plural must cover the categories of its language; a missing one would go unnoticed. */
function missingCategories(tag: string, key: string, shape: MessageShape): string[] {
  return shape.plurals.flatMap(({ argument, type, categories }) => {
    const wanted = new Intl.PluralRules(tag, { type }).resolvedOptions().pluralCategories
    const missing = wanted.filter(category => !categories.includes(category))
    return missing.length > 0 ? [`${key}: {${argument}} lacks the form ${missing.join(', ')}`] : []
  })
}

if (import.meta.main) {
  const problems = checkTexts()
  for (const line of problems) console.error(line)
  process.exitCode = problems.length > 0 ? 1 : 0
}
