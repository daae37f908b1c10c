/** What is known about an item besides its name. */
export interface ItemFacts {
  isDir: boolean
  /** Milliseconds since the epoch. */
  modified: number
  /** Bytes. */
  size: number
  /** The name of its folder. */
  folder: string
  /** When a photo was taken, by the camera's clock: `2024-05-01T12:34:56`. */
  taken?: string | undefined
  camera?: string | undefined
}

/** The methods of RE2JS that are used here: expressions run in linear time, whatever the pattern. */
export interface ExpressionEngine {
  compile(expression: string, flags?: number): { matcher(text: string): { replaceAll(replacement: string): string } }
}

/** The flag of RE2JS that ignores letter case. */
const CASE_INSENSITIVE = 1

/** Where a step adds text. */
export type Place = 'start' | 'end'
/** The time that a step writes. */
export type TimeSource = 'modified' | 'taken' | 'now'

/** One change of names. All but `extension` and `template` change the name without its extension. */
export type RenameStep =
  | { kind: 'replace'; find: string; with: string; ignoreCase: boolean }
  | { kind: 'expression'; find: string; with: string; ignoreCase: boolean }
  | { kind: 'case'; to: 'lower' | 'upper' | 'title' | 'sentence' }
  /** @param at characters before it, from the start or from the end */
  | { kind: 'insert'; text: string; at: number; from: Place }
  /** @param start characters before the removed ones, from the start or from the end */
  | { kind: 'remove'; start: number; count: number; from: Place }
  | { kind: 'number'; start: number; step: number; digits: number; at: Place; separator: string }
  | { kind: 'date'; time: TimeSource; pattern: string; at: Place; separator: string }
  | { kind: 'extension'; to: 'lower' | 'upper' | 'set' | 'remove'; value: string }
  | { kind: 'tidy'; spaces: boolean; compose: boolean; accents: boolean; portable: boolean }
  | { kind: 'template'; pattern: string }
export type StepKind = RenameStep['kind']

/** A name while steps change it. */
export interface SplitName {
  stem: string
  /** With its dot; empty without one. */
  extension: string
}

export interface StepContext {
  facts: ItemFacts
  /** The item's position in the list, from 0. */
  index: number
  /** The current time. */
  now: Date
}

/** A name that a step cannot change, because the item lacks a fact. */
export class MissingFact extends Error {}

/** The parts of a name. A folder has no extension, and neither has a name whose only dot is its first character. */
export function splitName(name: string, isDir: boolean): SplitName {
  const dot = isDir ? -1 : name.lastIndexOf('.')
  return dot <= 0 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot) }
}

type Apply = (name: SplitName, context: StepContext) => SplitName

/**
 * Prepares a step for many names.
 * @returns the step as a function, which throws `MissingFact`
 * @throws Error for an expression that is not valid
 */
export function prepareStep(step: RenameStep, engine: ExpressionEngine | undefined): Apply {
  if (step.kind === 'extension') return name => withExtension(name, step)
  if (step.kind === 'template') return templateOf(step.pattern)
  const change = stemChange(step, engine)
  return (name, context) => ({ ...name, stem: change(name.stem, context) })
}

type StemStep = Exclude<RenameStep, { kind: 'extension' | 'template' }>

function stemChange(step: StemStep, engine: ExpressionEngine | undefined): (stem: string, at: StepContext) => string {
  switch (step.kind) {
    case 'replace':
      return replaceText(step)
    case 'expression':
      return replaceExpression(step, engine)
    case 'case':
      return stem => inCase(stem, step.to)
    case 'insert':
      return stem => insertAt(stem, step)
    case 'remove':
      return stem => removeFrom(stem, step)
    case 'number':
      return (stem, { index }) => join(stem, digitsOf(step.start + index * step.step, step.digits), step)
    case 'date':
      return addDate(step)
    case 'tidy':
      return stem => tidy(stem, step)
  }
}

function addDate(step: Extract<RenameStep, { kind: 'date' }>) {
  const format = timeFormat(step.pattern)
  return (stem: string, context: StepContext) => join(stem, format(timeOf(step.time, context)), step)
}

function replaceText({ find, with: text, ignoreCase }: Extract<RenameStep, { kind: 'replace' }>) {
  if (find === '') return (stem: string) => stem
  if (!ignoreCase) return (stem: string) => stem.replaceAll(find, () => text)
  const literal = new RegExp(find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu')
  return (stem: string) => stem.replace(literal, () => text)
}

function replaceExpression(
  { find, with: text, ignoreCase }: Extract<RenameStep, { kind: 'expression' }>,
  engine: ExpressionEngine | undefined,
) {
  if (find === '' || !engine) return (stem: string) => stem
  const pattern = engine.compile(find, ignoreCase ? CASE_INSENSITIVE : 0)
  return (stem: string) => pattern.matcher(stem).replaceAll(text)
}

function inCase(stem: string, to: 'lower' | 'upper' | 'title' | 'sentence'): string {
  if (to === 'lower') return stem.toLowerCase()
  if (to === 'upper') return stem.toUpperCase()
  const lower = stem.toLowerCase()
  if (to === 'sentence') return lower.replace(/\p{L}/u, first => first.toUpperCase())
  return lower.replace(
    /(^|[^\p{L}\p{M}\p{N}'’])(\p{L})/gu,
    (_, before: string, first: string) => before + first.toUpperCase(),
  )
}

function insertAt(stem: string, { text, at, from }: Extract<RenameStep, { kind: 'insert' }>): string {
  const characters = [...stem]
  const place = from === 'start' ? Math.min(at, characters.length) : Math.max(0, characters.length - at)
  return characters.slice(0, place).join('') + text + characters.slice(place).join('')
}

function removeFrom(stem: string, { start, count, from }: Extract<RenameStep, { kind: 'remove' }>): string {
  const characters = [...stem]
  const end = characters.length - start
  if (from === 'start') characters.splice(start, count)
  else if (end > 0) characters.splice(Math.max(0, end - count), Math.min(count, end))
  return characters.join('')
}

function join(stem: string, text: string, { at, separator }: { at: Place; separator: string }): string {
  if (stem === '') return text
  return at === 'start' ? text + separator + stem : stem + separator + text
}

const digitsOf = (number: number, digits: number): string =>
  (number < 0 ? '-' : '') + String(Math.abs(number)).padStart(digits, '0')

/** Characters that Windows refuses in names, with what takes their place. */
const PORTABLE: Readonly<Record<string, string>> = {
  ':': '-',
  '"': "'",
  '<': '(',
  '>': ')',
  '|': '-',
  '?': '',
  '*': '',
}

function tidy(stem: string, { spaces, compose, accents, portable }: Extract<RenameStep, { kind: 'tidy' }>): string {
  let text = stem
  if (accents)
    text = text
      .normalize('NFD')
      .replace(/(\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic})\p{M}+/gu, '$1')
      .normalize('NFC')
  else if (compose) text = text.normalize('NFC')
  if (portable) text = text.replace(/[:"<>|?*\\\u0000-\u001f]/g, sign => PORTABLE[sign] ?? '-').replace(/[. ]+$/, '')
  if (spaces) text = text.replace(/\s+/gu, ' ').trim()
  return text
}

function withExtension(
  { stem, extension }: SplitName,
  { to, value }: Extract<RenameStep, { kind: 'extension' }>,
): SplitName {
  if (to === 'lower') return { stem, extension: extension.toLowerCase() }
  if (to === 'upper') return { stem, extension: extension.toUpperCase() }
  const bare = value.trim().replace(/^\./, '')
  return { stem, extension: to === 'remove' || bare === '' ? '' : `.${bare}` }
}

/** @throws MissingFact */
function timeOf(time: TimeSource, { facts, now }: StepContext): Date {
  if (time === 'now') return now
  if (time === 'modified') return new Date(facts.modified)
  const taken = facts.taken === undefined ? Number.NaN : Date.parse(facts.taken)
  if (Number.isNaN(taken)) throw new MissingFact()
  return new Date(taken)
}

const TIME_PARTS: Readonly<Record<string, (time: Date) => string>> = {
  YYYY: time => String(time.getFullYear()).padStart(4, '0'),
  YY: time => String(time.getFullYear() % 100).padStart(2, '0'),
  MM: time => String(time.getMonth() + 1).padStart(2, '0'),
  DD: time => String(time.getDate()).padStart(2, '0'),
  HH: time => String(time.getHours()).padStart(2, '0'),
  mm: time => String(time.getMinutes()).padStart(2, '0'),
  ss: time => String(time.getSeconds()).padStart(2, '0'),
}

/**
 * A pattern of `YYYY YY MM DD HH mm ss` as a function, which writes a time in the local time zone; other characters stay.
 */
export function timeFormat(pattern: string): (time: Date) => string {
  const parts = pattern.split(/(YYYY|YY|MM|DD|HH|mm|ss)/).map(part => TIME_PARTS[part] ?? part)
  return time => parts.map(part => (typeof part === 'string' ? part : part(time))).join('')
}

/** The pattern of dates without one of their own. */
export const DATE_PATTERN = 'YYYY-MM-DD'

/** A new name from a pattern with fields in braces. The extension stays unless the pattern has `{ext}`. */
function templateOf(pattern: string): Apply {
  if (pattern === '') return name => name
  const hasExtension = pattern.includes('{ext}')
  const parts = pattern.split(/(\{\w+(?::[^{}]*)?\})/).map(fieldOf)
  return (name, context) => {
    const text = parts.map(part => (typeof part === 'string' ? part : part(name, context))).join('')
    if (!hasExtension) return { stem: text, extension: name.extension }
    return splitName(name.extension === '' ? text.replace(/\.$/, '') : text, context.facts.isDir)
  }
}

/** What a field writes: the text itself if it is none. What it returns throws `MissingFact`. */
function fieldOf(text: string): string | ((name: SplitName, context: StepContext) => string) {
  const [, field, detail] = /^\{(\w+)(?::([^{}]*))?\}$/.exec(text) ?? []
  switch (field) {
    case 'name':
      return name => name.stem
    case 'ext':
      return name => name.extension.slice(1)
    case 'n': {
      const digits = Math.min(Number(detail ?? 1) || 1, 20)
      return (_, { index }) => digitsOf(index + 1, digits)
    }
    case 'modified':
    case 'taken':
    case 'now': {
      const format = timeFormat(detail || DATE_PATTERN)
      return (_, context) => format(timeOf(field, context))
    }
    case 'size':
      return (_, { facts }) => String(facts.size)
    case 'folder':
      return (_, { facts }) => facts.folder
    case 'camera':
      return (_, { facts }) => cameraOf(facts)
    default:
      return text
  }
}

/** @throws MissingFact */
function cameraOf({ camera }: ItemFacts): string {
  if (!camera) throw new MissingFact()
  return camera
}

/** The facts of photos that steps need: they have to be read from the files. */
export function needsPhotoFacts(steps: readonly RenameStep[]): boolean {
  return steps.some(step => {
    if (step.kind === 'date') return step.time === 'taken'
    return step.kind === 'template' && /\{(taken|camera)\b/.test(step.pattern)
  })
}
