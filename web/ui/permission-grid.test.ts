import { expect, it } from 'vitest'
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../../shared/permissions.ts'
import { withPermission } from './permission-grid.tsx'

it('an administrator has every permission, and keeps the others when that is withdrawn', () => {
  expect(withPermission(NO_PERMISSIONS, 'admin', true)).toEqual(ALL_PERMISSIONS)
  expect(withPermission(ALL_PERMISSIONS, 'admin', false)).toEqual({ ...ALL_PERMISSIONS, admin: false })
})

it('sharing implies downloading', () => {
  expect(withPermission(NO_PERMISSIONS, 'share', true)).toEqual({ ...NO_PERMISSIONS, share: true, download: true })
  const both = { ...NO_PERMISSIONS, share: true, download: true }
  expect(withPermission(both, 'download', false)).toEqual(NO_PERMISSIONS)
  expect(withPermission(both, 'share', false)).toEqual({ ...NO_PERMISSIONS, download: true })
})
