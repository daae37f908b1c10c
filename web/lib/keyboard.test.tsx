// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Binding, keysOf, type Scope, showKeys, useShortcuts } from './keyboard.ts'

let root: Root
let host: HTMLElement
let pressed: string[]

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  pressed = []
  host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
})

afterEach(async () => {
  await act(async () => root.unmount())
  host.remove()
})

function Keys({
  scope,
  name,
  keys,
  options,
}: {
  scope: Scope
  name: string
  keys: string
  options?: Partial<Binding>
}) {
  useShortcuts(scope, [{ keys, run: () => void pressed.push(name), ...options }])
  return null
}

const show = (content: ReactNode) => act(async () => root.render(content))

function press(init: KeyboardEventInit, target: EventTarget = document.body): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })
  target.dispatchEvent(event)
  return event
}

describe('shortcuts', () => {
  it("run once and prevent the browser's default", async () => {
    await show(<Keys scope="listing" name="all" keys="Ctrl+A" />)
    expect(press({ key: 'a', code: 'KeyA', ctrlKey: true }).defaultPrevented).toBe(true)
    expect(press({ key: 'b', code: 'KeyB', ctrlKey: true }).defaultPrevented).toBe(false)
    expect(pressed).toEqual(['all'])
  })

  it('end with their component', async () => {
    await show(<Keys scope="listing" name="del" keys="Delete" />)
    await show(null)
    press({ key: 'Delete' })
    expect(pressed).toEqual([])
  })

  it('of the listing come before global ones, and propagate when there was nothing to do', async () => {
    await show(
      <>
        <Keys scope="global" name="global" keys="Escape" />
        <Keys scope="listing" name="listing" keys="Escape" options={{ run: () => pressed.push('nothing') < 0 }} />
      </>,
    )
    press({ key: 'Escape' })
    expect(pressed).toEqual(['nothing', 'global'])
  })

  it('are disabled below a dialog', async () => {
    await show(
      <>
        <Keys scope="global" name="help" keys="F1" />
        <Keys scope="listing" name="del" keys="Delete" />
        <Keys scope="dialog" name="confirm" keys="Enter" />
      </>,
    )
    press({ key: 'Delete' })
    press({ key: 'F1' })
    press({ key: 'Enter' })
    expect(pressed).toEqual(['confirm'])
  })

  it('ignore text fields by default', async () => {
    await show(
      <>
        <input type="text" />
        <input type="checkbox" />
        <Keys scope="listing" name="del" keys="Delete" />
        <Keys scope="global" name="help" keys="F1" options={{ inText: true }} />
      </>,
    )
    const [field, box] = host.querySelectorAll('input')
    press({ key: 'Delete' }, field)
    press({ key: 'F1' }, field)
    press({ key: 'Delete' }, box)
    expect(pressed).toEqual(['help', 'del'])
  })
})

describe('the key combination of an event', () => {
  const event = (init: KeyboardEventInit) => keysOf(new KeyboardEvent('keydown', init))

  it('uses the physical key when Alt changes the character', () => {
    expect(event({ key: '˜', code: 'KeyN', altKey: true })).toBe('Alt+N')
  })

  it('uses the physical key when Shift changes a digit', () => {
    expect(event({ key: '!', code: 'Digit1', ctrlKey: true, shiftKey: true })).toBe('Ctrl+Shift+1')
    expect(event({ key: '!', code: 'Digit1', shiftKey: true })).toBe('!')
  })

  it('includes Shift for letters and named keys, not for characters that need it', () => {
    expect(event({ key: 'A', code: 'KeyA', ctrlKey: true, shiftKey: true })).toBe('Ctrl+Shift+A')
    expect(event({ key: 'F10', shiftKey: true })).toBe('Shift+F10')
    expect(event({ key: '?', shiftKey: true })).toBe('?')
    expect(event({ key: ' ', ctrlKey: true })).toBe('Ctrl+Space')
  })
})

it('a combination is formatted for the platform', () => {
  expect(showKeys('Ctrl+A', false)).toBe('Ctrl+A')
  expect(showKeys('Ctrl+A', true)).toBe('⌘A')
  expect(showKeys('Alt+ArrowUp', false)).toBe('Alt+↑')
})
