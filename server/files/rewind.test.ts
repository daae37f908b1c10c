import { expect, onTestFinished, test, vi } from 'vitest'
import { parsePath, ROOT } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { LIMITS } from '../limits.ts'
import { openMemory } from '../storage/memory.ts'
import { baseAt } from './base.ts'
import type { TimedStep } from './change-records.ts'
import { History, type HistoryOwner } from './history.ts'
import { policyFor } from './policy.ts'
import { Rewind } from './rewind.ts'
import type { UndoTools } from './undo-step.ts'

const step = (kind: TimedStep['kind'], position: number): TimedStep => ({
  ...{ kind, position, change: 'one', state: 'done', at: position, endedAt: position },
  place: parsePath(`/${position}.txt`),
  isFolder: false,
})
const steps = (kind: TimedStep['kind'], count: number) => Array.from({ length: count }, (_, n) => step(kind, n))

/** What rewinds the root of a server on which these steps are recorded. */
function rewindOf(recorded: TimedStep[]): Rewind {
  const policy = policyFor({ scope: '.', perm: ALL_PERMISSIONS, rules: [], hideDotfiles: false }, [])
  const records = { after: async (_time: number, _under: string, limit: number) => recorded.slice(0, limit) }
  const tools = { context: { policy, store: openMemory() }, base: baseAt(ROOT) } as unknown as UndoTools
  return new Rewind(new History(policy, baseAt(ROOT), { records } as unknown as HistoryOwner), tools, undefined)
}

test('a rewinding of more recorded effects than the limit is refused', async () => {
  const most = rewindOf(steps('purge', LIMITS.rewindSteps))
  expect((await most.plan(ROOT, 0)).final).toHaveLength(LIMITS.rewindSteps)
  const more = rewindOf(steps('purge', LIMITS.rewindSteps + 1))
  await expect(more.plan(ROOT, 0)).rejects.toMatchObject({ code: 'bad_request' })
})

test('the preview of a rewinding counts all items that stay, and lists a limited number', async () => {
  const rewind = rewindOf(steps('purge', LIMITS.rewindStays + 20))
  const { stay, stays } = await rewind.count(await rewind.plan(ROOT, 0))
  expect([stay, stays.length]).toEqual([LIMITS.rewindStays + 20, LIMITS.rewindStays])
})

test('the preview of a rewinding compares nothing after its time, and says so', async () => {
  const rewind = rewindOf(steps('make', 3))
  const plan = await rewind.plan(ROOT, 0)
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += LIMITS.rewindLook))
  onTestFinished(() => clock.mockRestore())
  expect(await rewind.count(plan)).toMatchObject({ trashed: 3, stay: 0, isChecked: false })
})
