import { expect, test } from 'vitest'
import { linkChanges } from './link-changes.ts'

test.each([
  ['passwordSet', { password_hash: ['', 'x'] }],
  ['passwordChanged', { password_hash: ['x', 'y'] }],
  ['passwordRemoved', { password_hash: ['x', ''] }],
  ['endSet', { expire: [0, 100] }],
  ['endRemoved', { expire: [100, 0] }],
  ['endsLater', { expire: [100, 200] }],
  ['endsEarlier', { expire: [200, 100] }],
  ['addressChanged', { slug: ['one', null] }],
  ['paused', { paused_at: [null, 5] }],
  ['resumed', { paused_at: [5, null] }],
  ['previewsOnly', { preview_only: [0, 1] }],
  ['downloadsAllowed', { preview_only: [1, 0] }],
  ['rightsAdded', { rights: ['["create"]', '["create","modify"]'] }],
  ['rightsRemoved', { rights: ['["create","modify"]', '["create"]'] }],
  ['rightsChanged', { rights: ['["create"]', '["modify"]'] }],
  ['limitRaised', { max_downloads: [3, 9] }],
  ['limitRaised', { max_bytes: [3, null] }],
  ['limitLowered', { max_items: [null, 3] }],
])('a change is %s', (name, settings) => {
  expect(linkChanges(JSON.stringify(settings))).toEqual([name])
})

test('a change of several settings names each once', () => {
  const settings = { expire: [0, 9], label: ['a', 'b'], max_bytes: [9, 3], max_items: [9, 3], token_hash: ['x', ''] }
  expect(linkChanges(JSON.stringify(settings))).toEqual(['endSet', 'nameChanged', 'limitLowered'])
})
