// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setLocale } from '../lib/i18n/index.ts'
import { Spinner } from './spinner.tsx'

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  await setLocale('en')
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

const waitFor = (milliseconds: number) => act(async () => vi.advanceTimersByTime(milliseconds))
const retry = () => document.querySelector('button')

it('reports after ten seconds that there is no response, and offers a retry', async () => {
  let asked = 0
  const root = createRoot(document.body)
  await act(async () => root.render(<Spinner label="Loading" onRetry={() => (asked += 1)} />))
  await waitFor(9_999)
  expect(retry()).toBeNull()
  await waitFor(1)
  expect(document.body.textContent).toContain('Still waiting for the server…')
  await act(async () => retry()?.click())
  expect(asked).toBe(1)
  expect(retry()).toBeNull()
  await waitFor(10_000)
  expect(retry()).not.toBeNull()
  act(() => root.unmount())
})
