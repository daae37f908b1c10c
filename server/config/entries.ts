import type * as z from 'zod/mini'
import { AppError } from '../errors.ts'
import { readValueFile } from './file.ts'

/** Refuses an entry with a sentence that contains none of its values. */
export type Refuse = (problem: string) => never

/** A setting that is a list of maps, each with a `slug` of its own. */
interface ListSetting<Input, Entry> {
  name: string
  most: number
  schema: z.ZodMiniType<Input>
  make(input: Input, refuse: Refuse): Entry
}

/**
 * The entries of a list as JSON; none for no text.
 * @throws AppError `bad_request` with a sentence for the console, which contains no secret
 */
export function parseEntries<Input, Entry extends { slug: string }>(
  { name, most, schema, make }: ListSetting<Input, Entry>,
  json: string,
): readonly Entry[] {
  const refuse: Refuse = problem => {
    throw new AppError('bad_request', `The setting ${name} cannot be used: ${problem}.`)
  }
  if (json === '') return []
  const list = listIn(json) ?? refuse(`it must be a list of ${name}`)
  if (list.length > most) refuse(`there are at most ${most}`)
  const entries = list.map((entry, index) => {
    const refuseEntry: Refuse = problem => refuse(`entry ${index + 1}: ${problem}`)
    const read = schema.safeParse(entry)
    return make(read.success ? read.data : refuseEntry(problemIn(read.error.issues[0])), refuseEntry)
  })
  const slugs = entries.map(({ slug }) => slug)
  const twice = slugs.find((slug, index) => slugs.indexOf(slug) !== index)
  if (twice !== undefined) refuse(`the slug ${twice} occurs twice`)
  return entries
}

/** A secret that is given as a field or as a file; `''` without either. */
export function secretIn<Name extends string>(
  name: Name,
  input: { [key in Name | `${Name}File`]?: string | undefined },
  refuse: Refuse,
): string {
  const { [name]: value, [`${name}File` as const]: file } = input
  if (value !== undefined && file !== undefined) return refuse(`give ${name} or ${name}File, not both`)
  return file === undefined ? (value ?? '') : readValueFile(`${name}File`, file)
}

function listIn(json: string): unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) ? list : undefined
  } catch {
    // The parser's message would quote the text, and a secret in it.
    return undefined
  }
}

/** Names the field, never its value. */
function problemIn(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `there is no key ${issue.keys.map(shown).join(', ')}`
  const field = issue?.path.map(part => shown(String(part))).join('.') ?? ''
  return field === '' ? 'it must be a map of names to values' : `${field} is missing or cannot be used`
}

const shown = (key: string) => key.slice(0, 64).replace(/[^\x21-\x7e]/g, '?')
