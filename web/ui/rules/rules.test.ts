import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { draftRules, judge, moveRule, newRule, problemOf, rulesOf } from './rules.ts'

const path = (text: string, allow: boolean) => ({ allow, regex: false, path: text, regexp: null })
const expression = (raw: string, allow: boolean) => ({ allow, regex: true, path: '', regexp: { raw } })

describe('rules in the editor', () => {
  it('a new one allows, and has an empty path', () => {
    expect(rulesOf([newRule()])).toEqual([{ allow: true, regex: false, path: '', regexp: null }])
  })

  it('round-trip unchanged', () => {
    const rules = [path('/a', false), expression('\\.tmp$', true)]
    expect(rulesOf(draftRules(rules))).toEqual(rules)
  })

  it('keep the text of the inactive kind', () => {
    const [draft = newRule()] = draftRules([path('/a', true)])
    expect(rulesOf([{ ...draft, regex: true, expression: 'x' }])).toEqual([expression('x', true)])
    expect(rulesOf([{ ...draft, regex: false, expression: 'x' }])).toEqual([path('/a', true)])
  })

  it('can be reordered', () => {
    const drafts = draftRules([path('/a', true), path('/b', true), path('/c', true)])
    expect(rulesOf(moveRule(drafts, 0, 1)).map(rule => rule.path)).toEqual(['/b', '/a', '/c'])
    expect(rulesOf(moveRule(drafts, 2, 0)).map(rule => rule.path)).toEqual(['/c', '/a', '/b'])
  })

  it('the last match decides', () => {
    const drafts = draftRules([path('', false), path('/a', true), expression('secret', false)])
    expect(judge(drafts, '/b', RE2JS)).toEqual({ allowed: false, rule: 0 })
    expect(judge(drafts, '/a/b', RE2JS)).toEqual({ allowed: true, rule: 1 })
    expect(judge(drafts, '/a/secret', RE2JS)).toEqual({ allowed: false, rule: 2 })
    expect(judge([], '/a', undefined)).toEqual({ allowed: true, rule: -1 })
    expect(judge(drafts, '/a/../b', RE2JS)).toBeUndefined()
  })

  it.each([
    [path('a', true), 'relative'],
    [path('', true), 'everything'],
    [expression('', true), 'everything'],
    [expression('(', true), 'badExpression'],
    // Syntax that the browser supports and the server does not.
    [expression('(?=x)', true), 'badExpression'],
    [expression('x'.repeat(1025), true), 'badExpression'],
    [path('/a', true), undefined],
    [expression('^/a$', true), undefined],
  ])('%j has the error: %s', (rule, problem) => {
    const [draft = newRule()] = draftRules([rule])
    expect(problemOf(draft, RE2JS)).toBe(problem)
  })
})
