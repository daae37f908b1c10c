import { RE2JS } from 're2js'
import type { Rule } from '../../shared/api/users.ts'
import { type FilePath, isWithin, nameOf, PathError, parsePath, ROOT } from '../../shared/path.ts'
import { coversPath, EVERYTHING, folderOf } from '../../shared/rules.ts'

/** Whether a path, relative to the user's scope, may be seen and used at all. */
export type Visible = (path: FilePath) => boolean

/** What decides about a path: a rule, its leading dot, or nothing, which allows it. */
export type Decision = CompiledRule | 'hidden' | undefined

/**
 * Compiles rules in the order global, then the user's; the last match decides, and without a match a path is allowed
 * (http-api 16.1). There is no exemption for administrators. Regular expressions have RE2's syntax and run in linear
 * time. A rule that cannot be compiled forbids everything: failing open would be worse.
 *
 * @param lists of rules, one after the other
 * @param hideDotfiles also hides every path with a name that starts with a dot
 */
export function deciderOf(lists: readonly (readonly Rule[])[], hideDotfiles: boolean): (path: FilePath) => Decision {
  const lasts = lists
    .filter(rules => rules.length > 0)
    .map(lastOf)
    .reverse()
  return path => {
    if (hideDotfiles && hasDotName(path)) return 'hidden'
    for (const last of lasts) {
      const rule = last(path)
      if (rule) return rule
    }
    return undefined
  }
}

/** The last rule of a list that matches a path. */
type LastOf = (path: FilePath) => CompiledRule | undefined

const knownLasts = new WeakMap<readonly Rule[], LastOf>()

/** The same for each request with the same list; one that is not frozen may have changed. */
function lastOf(rules: readonly Rule[]): LastOf {
  const known = knownLasts.get(rules)
  if (known) return known
  const last = newLastOf(rules)
  if (Object.isFrozen(rules)) knownLasts.set(rules, last)
  return last
}

/** A path costs a look-up for each of its folders, however many rules have a path, and a match for each expression. */
function newLastOf(rules: readonly Rule[]): LastOf {
  const compiled = rules.map(compileRule)
  const byFolder = new Map(rules.flatMap(({ regex, path }, index) => (regex ? [] : [[folderOf(path), index] as const])))
  const expressions = [...compiled.entries()].filter(([, { rule }]) => rule.regex).reverse()
  const indexOf = (folder: string) => byFolder.get(folder) ?? -1
  return path => {
    let last = Math.max(indexOf(EVERYTHING), isWithin(path, ROOT) ? indexOf(ROOT) : -1)
    for (let folder: string = path; folder.length > 1; folder = folder.slice(0, folder.lastIndexOf('/')))
      last = Math.max(last, indexOf(folder))
    const expression = expressions.find(([index, rule]) => index < last || rule.matches(path))
    return compiled[Math.max(last, expression?.[0] ?? -1)]
  }
}

/**
 * The paths that rules deny; `undefined` when an expression, or a rule for everything, denies: then each name must be
 * tested.
 * @param sees what all of the rules together allow
 */
export function deniedPlaces(rules: readonly Rule[], sees: Visible): FilePath[] | undefined {
  const denying = rules.filter(rule => !rule.allow)
  if (denying.some(rule => rule.regex) || !sees(ROOT)) return undefined
  return [...new Set(denying.flatMap(rule => placesOf(rule.path)).filter(path => !sees(path)))]
}

/** None for a path that covers nothing. */
function placesOf(path: string): FilePath[] {
  if (!path.startsWith('/')) return []
  try {
    return [parsePath(path)]
  } catch (thrown) {
    if (thrown instanceof PathError) return []
    throw thrown
  }
}

export const isAllowed = (decision: Decision): boolean => decision !== 'hidden' && (decision?.allow ?? true)

export interface CompiledRule {
  /** As stored. */
  rule: Rule
  /** False for an invalid rule. */
  allow: boolean
  matches(path: FilePath): boolean
}

/** The rules of groups are the same objects from request to request. */
const compiledRules = new WeakMap<Rule, CompiledRule>()

function compileRule(rule: Rule): CompiledRule {
  const known = compiledRules.get(rule)
  if (known) return known
  const compiled = newlyCompiled(rule)
  compiledRules.set(rule, compiled)
  return compiled
}

function newlyCompiled(rule: Rule): CompiledRule {
  if (!rule.regex) return { rule, allow: rule.allow, matches: path => coversPath(rule.path, path) }
  const forbidAll = { rule, allow: false, matches: () => true }
  try {
    const pattern = RE2JS.compile(rule.regexp?.raw ?? '')
    if (!rule.regexp) return forbidAll
    return { rule, allow: rule.allow, matches: path => pattern.matcher(path).find() }
  } catch {
    return forbidAll
  }
}

const hasDotName = (path: FilePath) => nameOf(path).startsWith('.') || path.includes('/.')
