// @vitest-environment happy-dom
import { act, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { lazyPart } from './lazy.ts'

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

it('a part that was left before it failed to load is loaded again when it is shown the next time', async () => {
  let fail = (_: Error): void => undefined
  let tries = 0
  const Part = lazyPart(async () => {
    tries += 1
    if (tries === 1) await new Promise((_, reject) => (fail = reject))
    return { default: () => <p>the part</p> }
  })
  const root = createRoot(document.body)
  const show = (shown: boolean) => act(async () => root.render(<Suspense>{shown && <Part />}</Suspense>))
  await show(true)
  await show(false)
  await act(async () => fail(new Error('no connection')))
  await act(async () => vi.advanceTimersByTime(1000))
  await show(true)
  expect(document.body.textContent).toBe('the part')
  expect(tries).toBe(2)
  act(() => root.unmount())
})
