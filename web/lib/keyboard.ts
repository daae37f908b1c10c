import { useEffectEvent, useLayoutEffect } from 'react'

/**
 * Keyboard dispatch: the innermost active scope with a binding for a key receives it; among several, the one mounted
 * last. A dialog blocks everything below it.
 */
export type Scope = 'global' | 'listing' | 'dialog'

export interface Binding {
  /** `Ctrl+A`, `Alt+N`, `F2`, `Shift+F10`, `Delete`, `Escape`, `?`. `Ctrl` is ⌘ on macOS. */
  keys: string
  /** Returns `false` when there was nothing to do; the key then propagates. Any other result consumes it. */
  run(event: KeyboardEvent): unknown
  /** Also while a text field has the focus. */
  inText?: boolean
}

interface Layer {
  scope: Scope
  bindings: () => readonly Binding[]
}

const RANK: Record<Scope, number> = { global: 0, listing: 1, dialog: 2 }
const layers: Layer[] = []

export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/**
 * The key combination of an event, in the form of `Binding.keys`. Letters with Alt and digits with Ctrl and Shift use
 * `event.code`, because Alt (and ⌥) and Shift change the character.
 */
export function keysOf(event: KeyboardEvent): string {
  const main = isMac ? event.metaKey : event.ctrlKey
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1]
  const digit = main && event.shiftKey ? /^Digit(\d)$/.exec(event.code)?.[1] : undefined
  const typed = event.key.length === 1 ? event.key.toUpperCase() : event.key
  const key = (event.altKey ? letter : digit) ?? typed
  const shift = event.shiftKey && (digit !== undefined || event.key.length > 1 || /[a-z]/i.test(event.key))
  return [main && 'Ctrl', event.altKey && 'Alt', shift && 'Shift', key === ' ' ? 'Space' : key]
    .filter(Boolean)
    .join('+')
}

/** Whether keys and pasted text belong to the element. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !/^(?:checkbox|radio|button|submit|reset|file|range)$/.test(target.type)
}

/** Widgets that handle the arrow keys themselves, and lists navigated by them. */
const MOVES = 'video, audio, [role=grid], [role=tablist], [data-arrows]'

/**
 * Whether the focused element handles the arrow keys: players, grids, lists, tabs, and horizontally scrollable
 * elements.
 */
export function usesArrows(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest(MOVES)) return true
  const scroller = target.closest('[tabindex="0"]')
  return scroller !== null && scroller.scrollWidth > scroller.clientWidth
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const keys = keysOf(event)
  // The real target, also inside a shadow root.
  const inText = isTextField(event.composedPath()[0] ?? event.target)
  const covered = layers.some(layer => layer.scope === 'dialog')
  const open = layers.filter(layer => !covered || layer.scope === 'dialog')
  const order = open.reverse().sort((a, b) => RANK[b.scope] - RANK[a.scope])
  for (const layer of order) {
    for (const binding of layer.bindings()) {
      if (binding.keys !== keys || (inText && !binding.inText)) continue
      if (binding.run(event) === false) continue
      event.preventDefault()
      return
    }
  }
}

/** Binds keys while the component is mounted. */
export function useShortcuts(scope: Scope, bindings: readonly Binding[]): void {
  const latest = useEffectEvent(() => bindings)
  // Before the first paint: a visible dialog must not leave a key to what it covers.
  useLayoutEffect(() => {
    const layer: Layer = { scope, bindings: () => latest() }
    if (layers.length === 0) addEventListener('keydown', onKeyDown)
    layers.push(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) removeEventListener('keydown', onKeyDown)
    }
  }, [scope])
}

const MAC_SIGNS: Record<string, string> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' }
const KEY_SIGNS: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Delete: 'Del',
  Escape: 'Esc',
}

/** A combination in the platform's notation: `Ctrl+A`, `⌘A`, `Alt+↑`. */
export function showKeys(keys: string, mac = isMac): string {
  const parts = keys.split('+').map(part => KEY_SIGNS[part] ?? (mac ? MAC_SIGNS[part] : undefined) ?? part)
  return parts.join(mac ? '' : '+')
}
