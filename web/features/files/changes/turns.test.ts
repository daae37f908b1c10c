import { expect, it } from 'vitest'
import { Turns } from './turns.ts'

/** Acts that end on request, and the order in which they began. */
function acts() {
  const begun: string[] = []
  const ends = new Map<string, (isDone: boolean) => void>()
  const act = (name: string) => () => {
    begun.push(name)
    return new Promise<boolean>(resolve => ends.set(name, resolve))
  }
  const end = async (name: string, isDone = true) => {
    ends.get(name)?.(isDone)
    await new Promise(resolve => setTimeout(resolve))
  }
  return { begun, act, end }
}

it('a redo asked for during an undo begins once the undo has ended', async () => {
  const [turns, { begun, act, end }] = [new Turns(), acts()]
  void turns.queue(act('undo'))
  void turns.queue(act('redo'))
  await end('')
  expect(begun).toEqual(['undo'])
  await end('undo')
  expect(begun).toEqual(['undo', 'redo'])
})

it('what is queued waits for what began at once, which waits for nothing', async () => {
  const [turns, { begun, act, end }] = [new Turns(), acts()]
  void turns.queue(act('key'))
  await end('')
  void turns.now(act('click'))
  void turns.queue(act('later key'))
  expect(begun).toEqual(['key', 'click'])
  await end('key')
  expect(begun).toEqual(['key', 'click'])
  await end('click')
  expect(begun).toEqual(['key', 'click', 'later key'])
})

it('what waits for an act that fails is dropped, and what is asked for afterwards runs', async () => {
  const [turns, { begun, act, end }] = [new Turns(), acts()]
  void turns.queue(act('fails'))
  const dropped = turns.queue(act('dropped'))
  await end('')
  await end('fails', false)
  await dropped
  void turns.queue(act('after'))
  await end('')
  expect(begun).toEqual(['fails', 'after'])
})

it('an act that throws counts as failed, and rejects', async () => {
  const [turns, { begun, act }] = [new Turns(), acts()]
  const thrown = turns.queue(() => Promise.reject(new Error('no')))
  const dropped = turns.queue(act('dropped'))
  await expect(thrown).rejects.toThrow('no')
  await dropped
  expect(begun).toEqual([])
})
