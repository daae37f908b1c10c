import { MAX_EXPRESSION_BYTES, type Rule } from '../../../shared/api/users.ts'
import { type FilePath, PathError, parsePath } from '../../../shared/path.ts'
import { coversPath } from '../../../shared/rules.ts'

/** A rule in the editor: both texts are kept, so that switching back and forth loses none. */
export interface RuleDraft {
  /** Stable while the rule is moved. */
  key: number
  allow: boolean
  regex: boolean
  path: string
  expression: string
}

/** The server's regular expression engine (RE2's syntax, http-api 16.1); part of `re2js`. */
export interface Engine {
  compile(
    expression: string,
    flags?: number,
  ): { matcher(text: string): { find(): boolean; replaceAll(replacement: string): string } }
}

let lastKey = 0

function draftOf({ allow, regex, path, regexp }: Rule): RuleDraft {
  lastKey += 1
  return { key: lastKey, allow, regex, path, expression: regexp?.raw ?? '' }
}

export const draftRules = (rules: readonly Rule[]): RuleDraft[] => rules.map(draftOf)

/** A new rule before any input. */
export const newRule = (): RuleDraft => draftOf({ allow: true, regex: false, path: '', regexp: null })

/** The rules as sent: only the active text. */
export function rulesOf(drafts: readonly RuleDraft[]): Rule[] {
  return drafts.map(({ allow, regex, path, expression }) =>
    regex ? { allow, regex, path: '', regexp: { raw: expression } } : { allow, regex, path, regexp: null },
  )
}

/** The list with the rule at `from` moved to `to`. */
export function moveRule(drafts: readonly RuleDraft[], from: number, to: number): RuleDraft[] {
  const rest = drafts.toSpliced(from, 1)
  return rest.toSpliced(to, 0, ...drafts.slice(from, from + 1))
}

export type RuleProblem = 'relative' | 'everything' | 'badExpression'

/** The error of a rule, `undefined` without any. Expressions are checked once the engine has loaded. */
export function problemOf({ regex, path, expression }: RuleDraft, engine: Engine | undefined): RuleProblem | undefined {
  if (!regex && path !== '' && !path.startsWith('/')) return 'relative'
  if ((regex ? expression : path) === '') return 'everything'
  return regex && engine && !compiled(expression, engine) ? 'badExpression' : undefined
}

function compiled(expression: string, engine: Engine) {
  if (new TextEncoder().encode(expression).length > MAX_EXPRESSION_BYTES) return undefined
  try {
    return engine.compile(expression)
  } catch {
    return undefined
  }
}

/** The effect of rules on a path. */
export interface Verdict {
  allowed: boolean
  /** Index of the deciding rule, -1 when none matches. */
  rule: number
}

/**
 * The last matching rule decides; without one a path is allowed (http-api 16.1). `undefined` for an invalid path.
 * @param engine may be missing when no rule is an expression
 */
export function judge(drafts: readonly RuleDraft[], path: string, engine: Engine | undefined): Verdict | undefined {
  const parsed = pathOf(path)
  if (parsed === undefined) return undefined
  const rule = drafts.findLastIndex(draft => matches(draft, parsed, engine))
  return { allowed: rule === -1 || (drafts[rule]?.allow ?? true), rule }
}

function pathOf(text: string): FilePath | undefined {
  try {
    return parsePath(text)
  } catch (error) {
    if (error instanceof PathError) return undefined
    throw error
  }
}

function matches({ regex, path, expression }: RuleDraft, target: FilePath, engine: Engine | undefined): boolean {
  if (!regex) return coversPath(path, target)
  return (engine && compiled(expression, engine)?.matcher(target).find()) ?? false
}
