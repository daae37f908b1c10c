import { describe, expect, test } from 'vitest'
import { isSensitive, needsAdmin, readFields, selectFields } from './fields.ts'

describe('which', () => {
  test.each([[undefined], [null], [[]], [['all']], [['ALL']]])('%j means every field', which => {
    const selection = selectFields(which)
    expect(selection.all).toBe(true)
    expect(needsAdmin(selection)).toBe(true)
    expect(isSensitive(selection)).toBe(true)
  })

  test.each([
    ['Password', 'password'],
    ['LOCKPASSWORD', 'lockPassword'],
    ['hideDotfiles', 'hideDotfiles'],
  ])('%s names %s', (name, field) => {
    expect(selectFields([name, name])).toEqual({ all: false, fields: [field] })
  })

  test.each([[['id']], [['shoeSize']], [['all', 'locale']], [['']], [['__proto__']], [['constructor']]])(
    '%j is refused',
    which => {
      expect(() => selectFields(which)).toThrow('which')
    },
  )

  test('requires an administrator exactly where the API does', () => {
    const free = ['password', 'locale', 'viewMode', 'singleClick', 'sorting', 'hideDotfiles', 'dateFormat']
    for (const field of free) expect(needsAdmin(selectFields([field]))).toBe(false)
    for (const field of ['username', 'scope', 'lockPassword', 'perm', 'commands', 'rules']) {
      expect(needsAdmin(selectFields(['locale', field]))).toBe(true)
    }
  })
})

test('only the selected fields are read and validated', () => {
  const data = { scope: '/../..', perm: { share: true }, rules: [{ regex: true }], locale: 'de', password: 'x' }
  expect(readFields(data, selectFields(['locale', 'password']))).toEqual({ locale: 'de' })
  expect(() => readFields(data, selectFields(['scope']))).toThrow('scope')
  expect(() => readFields(data, selectFields(['perm']))).toThrow('download')
  expect(() => readFields(data, selectFields(['rules']))).toThrow('rules[0]')
})
