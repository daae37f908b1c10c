import { expect, test } from 'vitest'
import { SettingsInput } from '../../../shared/api/settings.ts'
import { completePermissions, completeRules, completeSettings, completeSorting } from './complete.ts'

test('no input gives the complete settings of a new installation', () => {
  const fresh = completeSettings({})
  expect(completeSettings(SettingsInput.parse(fresh))).toEqual(fresh)
  expect(fresh.defaults.perm).toMatchObject({ admin: false, create: true })
  expect(Object.keys(fresh.commands)).toHaveLength(10)
})

test('null is the same as no input', () => {
  const nulls = SettingsInput.parse(Object.fromEntries(Object.keys(SettingsInput.shape).map(name => [name, null])))
  expect(completeSettings(nulls)).toEqual(completeSettings({}))
})

test('retries may be 0 when the chunk size is set', () => {
  expect(completeSettings({ tus: { chunkSize: 5, retryCount: 0 } }).tus).toEqual({ chunkSize: 5, retryCount: 0 })
  expect(completeSettings({ tus: { chunkSize: 0, retryCount: 0 } }).tus.retryCount).toBe(5)
})

test('unknown events are dropped', () => {
  const { commands } = completeSettings({ commands: { after_save: ['true'], after_lunch: ['nap'], before_save: null } })
  expect(commands.after_save).toEqual(['true'])
  expect(commands.before_save).toEqual([])
  expect(commands).not.toHaveProperty('after_lunch')
})

test('missing fields of a rule, a sorting or a permission have their zero value', () => {
  expect(completeRules([{ path: '/x' }])).toEqual([{ regex: false, allow: false, path: '/x', regexp: null }])
  expect(completeRules(null)).toEqual([])
  expect(completeSorting({ by: '', asc: true })).toEqual({ by: 'name', asc: true })
  expect(Object.values(completePermissions({ create: true, delete: null })).filter(Boolean)).toHaveLength(1)
})
