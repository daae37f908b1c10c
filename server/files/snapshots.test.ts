import { expect, onTestFinished, test, vi } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { LIMITS } from '../limits.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import { openMemory } from '../storage/memory.ts'
import { policyFor } from './policy.ts'
import { earlierStates } from './snapshots.ts'

const file = parsePath('/a.txt')
const entry = (modified: number) => ({ kind: 'file', path: file, size: 1, modified }) as Entry

/** A store with so many snapshots, in each of which the file differs; and how many were opened. */
function storeWith(count: number) {
  const opened: string[] = []
  const all = Array.from({ length: count }, (_, n) => ({
    id: `${n}`,
    name: `${n}`,
    time: count - n,
    source: 'zfs' as const,
  }))
  const snapshots: NonNullable<StorageDriver['snapshots']> = {
    list: async () => all,
    async open(id) {
      opened.push(id)
      return { ...openMemory(), stat: async () => entry(Number(id)) }
    },
  }
  return { store: { ...openMemory(), stat: async () => undefined, snapshots }, opened }
}

test('one request opens a limited number of snapshots, and the next one continues', async () => {
  const { store, opened } = storeWith(LIMITS.snapshotLooks + 20)
  const actor = { scope: '.', perm: ALL_PERMISSIONS, rules: [], hideDotfiles: false }
  const context = { store, policy: policyFor(actor, []) }
  const first = await earlierStates(context, file)
  expect(first.more).toBe(true)
  expect(first.items).toHaveLength(LIMITS.snapshotLooks)
  expect(opened).toHaveLength(LIMITS.snapshotLooks)
  const rest = await earlierStates(context, file, first.items.at(-1)?.id)
  expect(rest).toMatchObject({ more: false })
  expect(rest.items).toHaveLength(20)
})

test('a request opens no snapshot after its time, and the next one continues', async () => {
  const { store, opened } = storeWith(5)
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const { open } = store.snapshots
  store.snapshots.open = (...about) => {
    now += LIMITS.snapshotLookTime / 2 + 1
    return open(...about)
  }
  const actor = { scope: '.', perm: ALL_PERMISSIONS, rules: [], hideDotfiles: false }
  const context = { store, policy: policyFor(actor, []) }
  const first = await earlierStates(context, file)
  expect([first.more, first.items.map(({ id }) => id), opened]).toEqual([true, ['0', '1'], ['0', '1']])
  const next = await earlierStates(context, file, '1')
  expect(next.items.map(({ id }) => id)).toEqual(['2', '3'])
})
