import type { Document } from '../../server/features/openapi/document.ts'
import type { JsonSchema } from '../../server/features/openapi/schemas.ts'
import { HOSTILE_NAMES } from '../api/hostile-names.ts'
import type { Dice } from './dice.ts'

/** Texts that often break software. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...HOSTILE_NAMES,
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  '9007199254740993',
  'true',
  '../../etc/passwd',
  '/\0',
  '\ud800',
  'a'.repeat(5000),
  '(a+)+$',
  '[',
  '(?<=a)b',
  '\\p{Greek}*',
  '$FILE && $SCOPE',
  '../'.repeat(500),
]

const NUMBERS = [0, -0, 1, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 255, 4096] as const

/** Any JSON value. */
export function anyValue(dice: Dice, depth = 0): unknown {
  const kind = dice.below(depth > 3 ? 4 : 6)
  if (kind === 0) return null
  if (kind === 1) return dice.chance(0.5)
  if (kind === 2) return dice.pick(NUMBERS)
  if (kind === 3) return dice.pick(HOSTILE_TEXTS)
  const values = Array.from({ length: dice.below(5) }, () => anyValue(dice, depth + 1))
  return kind === 4 ? values : Object.fromEntries(values.map(value => [dice.pick(HOSTILE_TEXTS), value]))
}

/** Building blocks of bodies. */
export interface Source {
  document: Document
  /** Meaningful values, by the name of the field. */
  likely: Readonly<Record<string, readonly unknown[]>>
}

/** A value that is valid for a schema of the document. */
export function fittingValue(source: Source, given: unknown, dice: Dice): unknown {
  const schema: JsonSchema = Object(given)
  if (typeof schema.$ref === 'string') {
    return fittingValue(source, source.document.components.schemas[schema.$ref.split('/').pop() ?? ''], dice)
  }
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return dice.pick(schema.enum)
  if (Array.isArray(schema.anyOf)) return fittingValue(source, dice.pick(schema.anyOf), dice)
  switch (Array.isArray(schema.type) ? dice.pick(schema.type) : schema.type) {
    case 'object':
      return fittingObject(source, schema, dice)
    case 'array':
      return Array.from({ length: dice.below(4) }, () => fittingValue(source, schema.items, dice))
    case 'string':
      return dice.pick(HOSTILE_TEXTS).slice(0, typeof schema.maxLength === 'number' ? schema.maxLength : undefined)
    case 'boolean':
      return dice.chance(0.5)
    case 'integer':
      return Math.max(dice.below(300), typeof schema.minimum === 'number' ? schema.minimum : 0)
    case 'number':
      return dice.pick(NUMBERS)
    default:
      return null
  }
}

function fittingObject(source: Source, { properties, required, additionalProperties }: JsonSchema, dice: Dice) {
  const needed: unknown[] = Array.isArray(required) ? required : []
  const fields = Object.entries(Object(properties))
    .filter(([name]) => needed.includes(name) || dice.chance(0.5))
    .map(([name, schema]) => {
      const likely = Object.hasOwn(source.likely, name) ? source.likely[name] : undefined
      return [name, likely && dice.chance(0.7) ? dice.pick(likely) : fittingValue(source, schema, dice)]
    })
  const more = additionalProperties
    ? [[dice.pick(HOSTILE_TEXTS), fittingValue(source, additionalProperties, dice)]]
    : []
  return Object.fromEntries([...fields, ...more])
}

/** The same value with a part of it replaced, left out or added. */
export function mutate(value: unknown, dice: Dice): unknown {
  if (typeof value !== 'object' || value === null || dice.chance(0.15)) return anyValue(dice)
  if (Array.isArray(value)) {
    const index = dice.below(value.length + 1)
    return [...value.slice(0, index), mutate(value[index], dice), ...value.slice(index + 1)]
  }
  const entries = Object.entries(value)
  if (entries.length === 0 || dice.chance(0.2)) return { ...value, [dice.pick(HOSTILE_TEXTS)]: anyValue(dice) }
  const [name, inner] = dice.pick(entries)
  if (dice.chance(0.2)) return Object.fromEntries(entries.filter(([other]) => other !== name))
  return { ...value, [name]: mutate(inner, dice) }
}
