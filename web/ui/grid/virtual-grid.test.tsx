// @vitest-environment happy-dom
import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Cell, HeaderRow } from './cells.tsx'
import { lateParts } from './late.ts'
import { indexesOf } from './range-set.ts'
import { carryOver, type GridState, INITIAL } from './selection.ts'
import { VirtualGrid, type VirtualGridProps } from './virtual-grid.tsx'

const HEIGHT = 400
const onOpen = vi.fn()
const onMenu = vi.fn()
let root: Root
let state: GridState

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  // There is no layout here; the grid only needs its height.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(HEIGHT)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(HEIGHT)
  const host = document.createElement('div')
  document.body.replaceChildren(host)
  root = createRoot(host)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  onOpen.mockReset()
  onMenu.mockReset()
})

function TestGrid({ names, singleClick = false }: { names: readonly string[]; singleClick?: boolean }) {
  const [held, setHeld] = useState({ names, state: INITIAL })
  const current = held.names === names ? held.state : carryOver(held.state, held.names, names, name => name)
  if (held.names !== names) setHeld({ names, state: current })
  state = current
  const props: VirtualGridProps = {
    label: 'Files',
    count: names.length,
    columns: 1,
    rowHeight: 40,
    headerHeight: 36,
    initialOffset: 0,
    state: current,
    onState: next => setHeld({ names, state: next }),
    singleClick,
    header: <HeaderRow className={undefined}>header</HeaderRow>,
    renderCells: index => <Cell className={undefined}>{names[index]}</Cell>,
    nameAt: index => names[index] ?? '',
    onOpen,
    onUp: () => {},
    onMenu,
  }
  return <VirtualGrid {...props} />
}

const many = Array.from({ length: 100_000 }, (_, index) => `file ${index}`)
const show = (names: readonly string[], singleClick = false) =>
  act(async () => root.render(<TestGrid names={names} singleClick={singleClick} />))
const row = (name: string) => {
  const found = [...document.querySelectorAll<HTMLElement>('[data-index]')].find(
    element => element.textContent === name,
  )
  if (!found) throw new Error(`${name} is not in the document`)
  return found
}
/** Clicks at the same time as every other, however slow the machine. */
const click = (name: string, init: MouseEventInit = {}, at = 1000) =>
  act(async () => {
    const event = new MouseEvent('click', { bubbles: true, ...init })
    Object.defineProperty(event, 'timeStamp', { value: at })
    row(name).dispatchEvent(event)
  })
const press = (key: string, init: KeyboardEventInit = {}) =>
  act(
    async () =>
      void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...init })),
  )
const selected = () => [...indexesOf(state.selected)]

test('a hundred thousand rows render only a screenful and report their number', async () => {
  await show(many)
  const rendered = document.querySelectorAll('[data-index]').length
  expect(rendered).toBeGreaterThanOrEqual(HEIGHT / 40)
  expect(rendered).toBeLessThan(40)
  expect(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')).toBe('100001')
})

test('a click selects and focuses, a second one within 300 ms opens', async () => {
  await show(many)
  await click('file 3')
  expect(selected()).toEqual([3])
  expect(document.activeElement).toBe(row('file 3'))
  expect(onOpen).not.toHaveBeenCalled()
  await click('file 3')
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(3)
})

test('two slow clicks open a row only where the system counts them as a double click', async () => {
  await show(many)
  await click('file 3', { detail: 1 })
  await click('file 3', { detail: 1 }, 1301)
  expect(onOpen).not.toHaveBeenCalled()
  await click('file 3', { detail: 2 }, 2000)
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(3)
  await click('file 3', { detail: 3 }, 2700)
  expect(onOpen).toHaveBeenCalledOnce()
})

test('two quick clicks on different rows open nothing', async () => {
  await show(many)
  await click('file 3')
  await click('file 4')
  expect(onOpen).not.toHaveBeenCalled()
})

test('two quick clicks on a row with another click in between open nothing', async () => {
  await show(many)
  await click('file 3')
  await click('file 4', { ctrlKey: true })
  await click('file 3')
  expect(onOpen).not.toHaveBeenCalled()
})

test('two quick clicks on a row with a key in between open nothing', async () => {
  await show(many)
  await click('file 3')
  await press('F2')
  await press('Escape')
  await click('file 3')
  expect(onOpen).not.toHaveBeenCalled()
})

test('with single-click opening, Ctrl and click still selects', async () => {
  await show(many, true)
  await click('file 2', { ctrlKey: true })
  expect(selected()).toEqual([2])
  await click('file 5')
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(5)
})

test('End renders and focuses the last row', async () => {
  await show(many)
  await click('file 0')
  await press('End')
  expect(document.activeElement).toBe(row('file 99999'))
})

test('exactly one row is in the tab order', async () => {
  await show(many)
  await click('file 4')
  const stops = [...document.querySelectorAll<HTMLElement>('[data-index][tabindex="0"]')]
  expect(stops.map(element => element.textContent)).toEqual(['file 4'])
})

test('typing a name focuses and selects its row', async () => {
  await show(['alpha', 'beta', 'gamma'])
  await click('alpha')
  await press('g')
  expect(document.activeElement).toBe(row('gamma'))
  expect(selected()).toEqual([2])
})

test('when the focused row is removed, the next one gets the focus', async () => {
  await show(['a', 'b', 'c'])
  await click('b')
  await show(['a', 'c'])
  expect(document.activeElement).toBe(row('c'))
})

test("a right click requests the row's menu, with Shift the browser shows its own", async () => {
  await show(['a', 'b'])
  const ask = (init: MouseEventInit) =>
    act(
      async () =>
        void row('b').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX: 5, clientY: 7, ...init })),
    )
  await ask({ shiftKey: true })
  expect(onMenu).not.toHaveBeenCalled()
  await ask({})
  expect(onMenu).toHaveBeenCalledExactlyOnceWith({ index: 1, x: 5, y: 7 })
})

test('a key of the browser is not handled', async () => {
  await show(['a', 'b'])
  await click('a')
  const event = new KeyboardEvent('keydown', { key: 'r', ctrlKey: true, bubbles: true, cancelable: true })
  await act(async () => void document.activeElement?.dispatchEvent(event))
  expect(event.defaultPrevented).toBe(false)
})

test('rows that a deletion moves glide from where they were, and no others', async () => {
  const glides: string[] = []
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  HTMLElement.prototype.animate = function animate(this: HTMLElement, frames) {
    glides.push(`${this.textContent} ${JSON.stringify(frames)}`)
    return {} as Animation
  }
  await expect.poll(lateParts).toBeDefined()
  await show(['a', 'b', 'c', 'd'])
  await show(['a', 'c', 'd'])
  expect(glides).toEqual(['c', 'd'].map(name => `${name} [{"translate":"0px 40px"},{"translate":"none"}]`))
})
