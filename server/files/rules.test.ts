import { describe, expect, test } from 'vitest'
import type { Rule } from '../../shared/api/users.ts'
import type { FilePath } from '../../shared/path.ts'
import { coversPath } from '../../shared/rules.ts'
import { Dice } from '../../test/fuzz/dice.ts'
import { deciderOf, deniedPlaces, isAllowed, type Visible } from './rules.ts'

const path = (allow: boolean, where: string): Rule => ({ regex: false, allow, path: where, regexp: null })
const pattern = (allow: boolean, raw: string): Rule => ({ regex: true, allow, path: '', regexp: { raw } })

function visible(rules: Rule[], hideDotfiles = false): Visible {
  const decide = deciderOf([rules], hideDotfiles)
  return path => isAllowed(decide(path))
}

const sees = (rules: Rule[], where: string, hideDotfiles = false) => visible(rules, hideDotfiles)(where as FilePath)

describe('rules', () => {
  test('allow everything when there are none', () => {
    expect(sees([], '/a')).toBe(true)
  })

  test('forbid a folder and its content, but no path with the same prefix', () => {
    const rules = [path(false, '/docs')]
    expect(sees(rules, '/docs')).toBe(false)
    expect(sees(rules, '/docs/a/b')).toBe(false)
    expect(sees(rules, '/docs-2/a')).toBe(true)
  })

  test('are decided by the last match', () => {
    const rules = [path(false, '/docs'), path(true, '/docs/public')]
    expect(sees(rules, '/docs/public/a')).toBe(true)
    expect(sees([...rules].reverse(), '/docs/public/a')).toBe(false)
  })

  test('RULE-01 with an empty path match everything, with a relative path nothing', () => {
    expect(sees([path(false, '')], '/a')).toBe(false)
    expect(sees([path(false, 'a')], '/a')).toBe(true)
  })

  test('match a pattern anywhere in the path, in RE2 syntax', () => {
    expect(sees([pattern(false, '(?i)\\.SECRET\\z')], '/x/a.secret')).toBe(false)
    expect(sees([pattern(false, '^/private')], '/public')).toBe(true)
  })

  test('that cannot be compiled forbid everything', () => {
    expect(sees([pattern(true, '(')], '/a')).toBe(false)
    expect(sees([{ regex: true, allow: true, path: '', regexp: null }], '/a')).toBe(false)
  })

  test('are evaluated in linear time, without catastrophic backtracking', () => {
    const evil = visible([pattern(false, '^(a+)+$')])
    expect(evil(`/${'a'.repeat(250)}!` as FilePath)).toBe(true)
  })
})

describe('many rules', () => {
  const NAMES = ['a', 'b', 'A', 'a b', '.a', '']
  const naive = (rules: readonly Rule[], where: FilePath) =>
    rules.findLast(rule => (rule.regex ? where.includes(rule.regexp?.raw ?? '') : coversPath(rule.path, where)))

  test('RULE-01 decide as one after the other would, in one list and in two, frozen or not', () => {
    const dice = new Dice(30)
    const anyPath = () => `/${Array.from({ length: dice.below(4) }, () => dice.pick(NAMES)).join('/')}`
    const anyRule = () => {
      const allow = dice.below(2) === 0
      if (dice.below(5) === 0) return pattern(allow, dice.pick(['a', 'b/', '/A']))
      return path(allow, dice.pick([anyPath(), `${anyPath()}/`, '', '/', 'a', '//']))
    }
    for (let round = 0; round < 3000; round += 1) {
      const rules = Array.from({ length: dice.below(12) }, anyRule)
      const cut = dice.below(rules.length + 1)
      const lists = [rules.slice(0, cut), rules.slice(cut)]
      if (round % 2 === 0) for (const list of lists) Object.freeze(list)
      const where = anyPath() as FilePath
      const decided = [deciderOf([rules], false), deciderOf(lists, false), deciderOf(lists, false)].map(decide => {
        const decision = decide(where)
        return typeof decision === 'object' ? decision.rule : decision
      })
      const expected = naive(rules, where)
      expect([where, rules, decided]).toEqual([where, rules, [expected, expected, expected]])
    }
  })

  test('that change after a decision count changed', () => {
    const rules = [path(false, '/a')]
    expect(sees(rules, '/a')).toBe(false)
    rules.push(path(true, '/a'))
    expect(sees(rules, '/a')).toBe(true)
  })
})

describe('the paths that rules deny', () => {
  const places = (...rules: Rule[]) => deniedPlaces(rules, visible(rules))

  test('are those of path rules that no later rule allows', () => {
    expect(places()).toEqual([])
    const rules = [path(false, '/a/'), path(false, '/b/c'), path(true, '/b'), path(false, 'x'), path(false, '/../y')]
    expect(places(...rules, pattern(true, 'z'))).toEqual(['/a'])
  })

  test('are incomplete when an expression or a rule for everything denies', () => {
    for (const rule of [pattern(false, 'z'), pattern(true, '('), path(false, ''), path(false, '/')]) {
      expect(places(path(false, '/a'), rule)).toBeUndefined()
    }
  })
})

describe('hidden files', () => {
  test('are those with a leading dot in any name of the path', () => {
    expect(sees([], '/.git/config', true)).toBe(false)
    expect(sees([], '/a/.env', true)).toBe(false)
    expect(sees([], '/a.b/c.d', true)).toBe(true)
    expect(sees([], '/.git/config', false)).toBe(true)
  })

  test('stay hidden even where a rule allows them', () => {
    expect(sees([path(true, '/.git')], '/.git', true)).toBe(false)
  })
})
