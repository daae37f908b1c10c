import { describe, expect, test } from 'vitest'
import { strengthOf } from './password-strength.ts'

describe('the strength of a password', () => {
  test.each(['password2024!', 'qwertyuiop', 'abcabcabc', 'filigree', '123456789012'])('%j is easy', password => {
    expect(strengthOf(password)).toBe('easy')
  })

  test.each(['sunbathing', 'Gartenzwerg77', 'aaaaaaaaaaaaaaaaaaab', '我爱你'])('%j is weak', password => {
    expect(strengthOf(password)).toBe('weak')
  })

  test.each(['k3x9q2m7', 'horse battery', 'Gartenzwerg im Regen'])('%j is good at least', password => {
    expect(['good', 'strong']).toContain(strengthOf(password))
  })

  test.each(['k3x9q2m7v1pzw', 'correct horse battery staple', 'Xq7!vR2#mK9$', 'Зелёный слон ест суп'])(
    '%j is strong',
    password => {
      expect(strengthOf(password)).toBe('strong')
    },
  )

  test('a longer one is never weaker', () => {
    const order = ['easy', 'weak', 'good', 'strong']
    const text = 'k3x9-Regen im Garten-77 und Schnee!'
    const all = Array.from(text, (_, index) => order.indexOf(strengthOf(text.slice(0, index + 1))))
    // The first characters alone are a run.
    const judged = all.slice(4)
    expect(judged).toEqual(judged.toSorted((a, b) => a - b))
  })
})
