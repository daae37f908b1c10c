import { parseSwitch } from '../config/flags.ts'
import { AppError } from '../errors.ts'
import type { DescribedFlag } from './command.ts'

/** How the text of a flag is parsed: `mark` is a boolean stored as text, `words` are separated by spaces, `items` by commas. */
type Kind = 'text' | 'number' | 'switch' | 'inverse' | 'mark' | 'words' | 'items'

/** A flag that sets one field of an object. */
export interface FieldFlag extends DescribedFlag {
  /** Path of the field, separated by dots. */
  field: string
  kind: Kind
}

const SWITCHES: readonly Kind[] = ['switch', 'inverse', 'mark']

/** Creates a flag; its kind decides whether it is boolean. */
export function fieldFlag(
  flag: string,
  kind: Kind,
  field: string,
  doc: string,
  more: Partial<FieldFlag> = {},
): FieldFlag {
  return { flag, kind, field, doc, boolean: SWITCHES.includes(kind), ...more }
}

/**
 * A copy of an object with the given flags applied.
 * @throws AppError `bad_request` for an invalid number or boolean
 */
export function applyFlags(target: object, flags: ReadonlyMap<string, string>, known: readonly FieldFlag[]) {
  const copy: Record<string, unknown> = structuredClone({ ...target })
  for (const { flag, field, kind } of known) {
    const text = flags.get(flag)
    if (text !== undefined) setField(copy, field.split('.'), convert(kind, text, flag))
  }
  return copy
}

/** The top-level name of each field given. */
export function givenFields(flags: ReadonlyMap<string, string>, known: readonly FieldFlag[]): string[] {
  return known.filter(({ flag }) => flags.has(flag)).map(({ field }) => field.split('.')[0] ?? '')
}

function convert(kind: Kind, text: string, flag: string): unknown {
  switch (kind) {
    case 'text':
      return text
    case 'number':
      if (!/^\d{1,15}$/.test(text)) throw new AppError('bad_request', `--${flag} must be a number, not '${text}'.`)
      return Number(text)
    case 'switch':
      return parseSwitch(text, `--${flag}`)
    case 'inverse':
      return !parseSwitch(text, `--${flag}`)
    case 'mark':
      return String(parseSwitch(text, `--${flag}`))
    case 'words':
      return text.split(' ').filter(word => word !== '')
    case 'items':
      return text.split(',').flatMap(item => item.trim() || [])
  }
}

/** Sets a nested field in place; copies the objects on the path. */
export function setField(target: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner: Record<string, unknown> = { ...(target[name] as object | undefined) }
  setField(inner, rest, value)
  target[name] = inner
}
