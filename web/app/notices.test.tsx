// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setLocale } from '../lib/i18n/index.ts'
import { dismissNotice, notify } from '../lib/notices.ts'
import { NoticeRegion } from './notices.tsx'

let root: Root
let host: HTMLElement
const shown: number[] = []

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  await setLocale('en')
  vi.useFakeTimers()
  host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  await act(async () => root.render(<NoticeRegion />))
})

afterEach(async () => {
  await act(async () => {
    for (const id of shown.splice(0)) dismissNotice(id)
    root.unmount()
  })
  host.remove()
  vi.useRealTimers()
})

const show = (...args: Parameters<typeof notify>) => act(async () => void shown.push(notify(...args)))
const wait = (ms: number) => act(async () => void vi.advanceTimersByTime(ms))
const button = (name: string) => [...host.querySelectorAll('button')].find(found => found.textContent === name)

describe('notices', () => {
  it('a confirmation is announced politely and stays for five seconds and 50 ms a character', async () => {
    const text = 'Folder created'
    await show('success', text)
    expect(host.querySelector('[role=status]')?.textContent).toContain(text)
    await wait(5000 + 50 * text.length - 1)
    expect(host.textContent).toContain(text)
    await wait(1)
    expect(host.textContent).toBe('')
  })

  it('a confirmation can be closed earlier', async () => {
    await show('success', 'Folder created')
    await act(async () => host.querySelector<HTMLElement>('[aria-label=Close]')?.click())
    expect(host.textContent).toBe('')
  })

  it('one with an action stays for eight seconds', async () => {
    const undo = vi.fn()
    await show('success', 'Moved', { label: 'Undo', run: undo })
    await wait(7900)
    await act(async () => button('Undo')?.click())
    expect(undo).toHaveBeenCalledOnce()
    expect(host.textContent).toBe('')
  })

  it('the timer pauses while the pointer is on it', async () => {
    await show('info', 'Copied')
    await act(async () => {
      host.querySelector('section')?.dispatchEvent(new MouseEvent('pointerover', { bubbles: true }))
    })
    await wait(60_000)
    expect(host.textContent).toContain('Copied')
  })

  it('closes three seconds after the pointer has left it at the last moment', async () => {
    await show('info', 'Copied')
    await wait(5200)
    const region = host.querySelector('section')
    await act(async () => region?.dispatchEvent(new MouseEvent('pointerover', { bubbles: true })))
    await wait(60_000)
    await act(async () => region?.dispatchEvent(new MouseEvent('pointerout', { bubbles: true })))
    await wait(2999)
    expect(host.textContent).toContain('Copied')
    await wait(1)
    expect(host.textContent).toBe('')
  })

  it('the timer pauses while the tab is hidden', async () => {
    const setVisibility = async (state: 'hidden' | 'visible') => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
      await act(async () => document.dispatchEvent(new Event('visibilitychange')))
    }
    await show('info', 'Copied')
    await setVisibility('hidden')
    await wait(600_000)
    await setVisibility('visible')
    await wait(5000)
    expect(host.textContent).toContain('Copied')
    vi.restoreAllMocks()
  })

  it('confirmations do not displace an error', async () => {
    await show('error', 'No space left')
    for (const text of ['one', 'two', 'three', 'four']) await show('success', text)
    const texts = [...host.querySelectorAll('p')].map(paragraph => paragraph.textContent)
    expect(texts).toEqual(['No space left', 'two', 'three', 'four'])
  })

  it('an error is announced at once and stays until it is closed', async () => {
    await show('error', 'No space left')
    await wait(600_000)
    expect(host.querySelector('[role=alert]')?.textContent).toContain('No space left')
    expect(button('Report issue')).toBeDefined()
    await act(async () => host.querySelector<HTMLElement>('[aria-label=Close]')?.click())
    expect(host.textContent).toBe('')
  })

  it('the same text is not shown twice', async () => {
    await show('error', 'No connection')
    await show('error', 'No connection')
    expect(host.querySelectorAll('p')).toHaveLength(1)
  })
})
