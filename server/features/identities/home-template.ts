import { homeName } from '../users/names.ts'
import { SignInProblem } from './problem.ts'

/** `{username}`, `{claim:department}` of a provider, `{attribute:ou}` of a directory. */
const PLACEHOLDER = /\{(?:username|(?:claim|attribute):([^{}]+))\}/g
/** What makes more than one name of a value, or none. */
const NO_NAME = /[/\\\p{Cc}]|\.\.|^\s*$/u
const LONGEST = 255

/** The claims or attributes that a template needs. */
export const namesIn = (template: string): string[] =>
  [...template.matchAll(PLACEHOLDER)].flatMap(([, name]) => (name === undefined ? [] : [name]))

/**
 * The folder of a newcomer by the template of the host. Each value becomes a part of one name.
 * @param valueOf the value of a claim or an attribute
 * @throws SignInProblem `bad_claims` for a value that is missing, or would lead elsewhere
 */
export function filledHome(template: string, username: string, valueOf: (name: string) => unknown): string {
  return template.replace(PLACEHOLDER, (_placeholder, name?: string) =>
    name === undefined ? part(username, 'the name') : part(valueOf(name), name),
  )
}

function part(value: unknown, what: string): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text.length > LONGEST || NO_NAME.test(text))
    throw new SignInProblem('bad_claims', `no folder can be made of ${what}`)
  return homeName(text)
}
