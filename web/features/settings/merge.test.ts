import { expect, test } from 'vitest'
import { mergeFields } from './merge.ts'

const BEFORE = { signup: false, shell: ['sh'], branding: { name: 'A', theme: 'auto' } }

test('concurrent changes to different fields merge, also within a field', () => {
  const mine = { ...BEFORE, signup: true, branding: { name: 'A', theme: 'dark' } }
  const theirs = { ...BEFORE, shell: ['bash'], branding: { name: 'B', theme: 'auto' } }
  const both = { signup: true, shell: ['bash'], branding: { name: 'B', theme: 'dark' } }
  expect(mergeFields(BEFORE, mine, theirs)).toEqual(both)
})

test('different changes to the same field conflict, equal ones do not', () => {
  const mine = { ...BEFORE, shell: ['mine'] }
  expect(mergeFields(BEFORE, mine, { ...BEFORE, shell: ['theirs'] })).toBeUndefined()
  expect(mergeFields(BEFORE, mine, { ...BEFORE, shell: ['mine'], signup: true })).toEqual({ ...mine, signup: true })
  const renamed = (name: string) => ({ ...BEFORE, branding: { name, theme: 'auto' } })
  expect(mergeFields(BEFORE, renamed('X'), renamed('Y'))).toBeUndefined()
})
