import * as z from 'zod/mini'
import { AppError } from '../errors.ts'
import { type Refuse, secretIn } from './entries.ts'

const MOST_ROOTS = 32
const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))

/** One root in the configuration file; unknown keys are refused. */
const RootInput = z.strictObject({
  at: text(4096),
  readOnly: z._default(z.boolean(), false),
  s3AccessKey: z.optional(text(256)),
  s3AccessKeyFile: z.optional(text(4096)),
  s3SecretKey: z.optional(text(1024)),
  s3SecretKeyFile: z.optional(text(4096)),
})

/** A further storage, as the host describes it (docs/roots.md). */
export interface RootSettings {
  name: string
  /** A folder, or the address of a remote store. */
  at: string
  readOnly: boolean
  /** Its own credentials; without them those of the served root are used. */
  credentials: { accessKey: string; secretKey: string; sessionToken: string } | undefined
}

/**
 * Further roots: a map of names to places or to maps, as JSON, or `name=place` separated by `;`.
 * @throws AppError `bad_request` with a sentence for the console, which contains no secret
 */
export function parseRoots(given: string): readonly RootSettings[] {
  const refuse: Refuse = problem => {
    throw new AppError('bad_request', `The setting roots cannot be used: ${problem}.`)
  }
  if (given.trim() === '') return []
  const entries = Object.entries(given.trimStart().startsWith('{') ? inJson(given, refuse) : inPairs(given, refuse))
  if (entries.length > MOST_ROOTS) refuse(`there are at most ${MOST_ROOTS}`)
  return entries.map(([name, input]) => root(name, input, refuse))
}

function root(name: string, input: unknown, refuse: Refuse): RootSettings {
  if (!NAME.test(name) || name === 'main') {
    refuse('a name has lower-case letters, digits and hyphens, at most 32, and is not main')
  }
  const refuseRoot: Refuse = problem => refuse(`${name}: ${problem}`)
  const read = RootInput.safeParse(typeof input === 'string' ? { at: input } : input)
  if (!read.success) return refuseRoot('it must be a place, or a map with at and known keys')
  const { at, readOnly } = read.data
  const accessKey = secretIn('s3AccessKey', read.data, refuseRoot)
  const secretKey = secretIn('s3SecretKey', read.data, refuseRoot)
  if ((accessKey === '') !== (secretKey === '')) refuseRoot('give both s3AccessKey and s3SecretKey, or none')
  return { name, at, readOnly, credentials: accessKey === '' ? undefined : { accessKey, secretKey, sessionToken: '' } }
}

function inJson(given: string, refuse: Refuse): object {
  try {
    const map: unknown = JSON.parse(given)
    if (typeof map === 'object' && map !== null && !Array.isArray(map)) return map
  } catch {
    // The parser's message would quote the text, and a secret in it.
  }
  return refuse('it must be a map of names to places')
}

function inPairs(given: string, refuse: Refuse): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const pair of given.split(';').filter(part => part.trim() !== '')) {
    const cut = pair.indexOf('=')
    const name = pair.slice(0, cut).trim()
    if (cut < 0) refuse('write name=place; name=place')
    if (Object.hasOwn(pairs, name)) refuse(`the name ${name.slice(0, 32)} occurs twice`)
    pairs[name] = pair.slice(cut + 1).trim()
  }
  return pairs
}
