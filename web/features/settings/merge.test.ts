import { expect, test } from 'vitest'
import { mergeFields } from './merge.ts'

const BEFORE = { signup: false, shell: ['sh'], branding: { name: 'A', theme: 'auto' } }

test('what two people changed in different fields is kept, in parts of a field, too', () => {
  const mine = { ...BEFORE, signup: true, branding: { name: 'A', theme: 'dark' } }
  const theirs = { ...BEFORE, shell: ['bash'], branding: { name: 'B', theme: 'auto' } }
  const both = { signup: true, shell: ['bash'], branding: { name: 'B', theme: 'dark' } }
  expect(mergeFields(BEFORE, mine, theirs)).toEqual(both)
})

test('what both changed is for neither to choose, unless they agree', () => {
  const mine = { ...BEFORE, shell: ['mine'] }
  expect(mergeFields(BEFORE, mine, { ...BEFORE, shell: ['theirs'] })).toBeUndefined()
  expect(mergeFields(BEFORE, mine, { ...BEFORE, shell: ['mine'], signup: true })).toEqual({ ...mine, signup: true })
  const renamed = (name: string) => ({ ...BEFORE, branding: { name, theme: 'auto' } })
  expect(mergeFields(BEFORE, renamed('X'), renamed('Y'))).toBeUndefined()
})
