// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { keysOfAction } from '../lib/actions.ts'
import { reactToKey } from '../ui/grid/keys.ts'
import { INITIAL } from '../ui/grid/selection.ts'
import { isCharacter } from '../ui/grid/type-ahead.ts'
import { ACTIONS } from './actions.ts'
import { AMONG_FILES, ANYWHERE } from './help-keys.ts'
import { PLACES } from './shell/places.ts'
import { VIEWER_ACTIONS } from './viewer-actions.ts'

/** The browser fires `contextmenu` for these. */
const ASK_FOR_MENU = ['Shift+F10', 'ContextMenu']
/** The browser fires `paste` for this, where no item is cut or copied. */
const PASTE = 'Ctrl+V'
const TEN_ROWS = { count: 10, page: 5, stepFrom: (index: number, by: number) => index + by }

/** What a grid does with a combination of the help. */
function reaction(keys: string) {
  const parts = keys.split('+')
  const last = parts.at(-1) ?? ''
  const held = { shift: parts.includes('Shift'), ctrl: parts.includes('Ctrl'), alt: parts.includes('Alt') }
  return reactToKey({ ...INITIAL, focus: 5 }, { key: last === 'Space' ? ' ' : last, ...held }, TEN_ROWS)
}

const bound = (keys: string) => PLACES.some(place => place.keys === keys)

describe('the help lists only keys with an effect', () => {
  const gridKeys = AMONG_FILES.flatMap(row => row.keys).filter(keys => ![...ASK_FOR_MENU, PASTE].includes(keys))

  it.each(gridKeys)('among files: %s', keys => {
    const letters = keys === 'Letters' && isCharacter('a')
    expect(letters || bound(keys) || reaction(keys)).toBeTruthy()
  })

  it.each(ANYWHERE.flatMap(row => row.keys))('anywhere: %s', keys => {
    expect(bound(keys)).toBe(true)
  })

  it('no key has two meanings in the same place', () => {
    for (const scope of ['preview', 'editor']) {
      const keys = VIEWER_ACTIONS.flatMap(action =>
        action.scope === scope && action.shortcut ? [action.shortcut] : [],
      )
      expect(new Set(keys).size).toBe(keys.length)
    }
  })
})

/** Every documented key, with the action that handles it. */
const KEYS: Record<string, readonly string[]> = {
  F1: ['help'],
  F2: ['rename'],
  F3: ['secondPane'],
  Delete: ['delete'],
  Escape: ['closeFilter', 'clearSelection', 'preview.close', 'editor.leave'],
  'Ctrl+D': ['star', 'unstar'],
  'Ctrl+F': ['search', 'editor.find'],
  'Ctrl+C': ['copyForPaste'],
  'Ctrl+X': ['cut'],
  'Ctrl+V': ['paste'],
  'Ctrl+A': ['selectAll'],
  'Ctrl+S': ['download', 'downloadFolder', 'editor.save'],
  'Ctrl+K': ['palette'],
  'Ctrl+Z': ['undo'],
  'Ctrl+Shift+Z': ['redo'],
  'Ctrl+Y': ['redo'],
  'Ctrl+I': ['details', 'preview.info'],
  I: ['preview.info'],
  'Ctrl+Shift+1': ['viewList'],
  'Ctrl+Shift+2': ['viewMosaic'],
  'Ctrl+Shift+3': ['viewGallery'],
  'Alt+N': ['newDir'],
  'Alt+U': ['upload'],
  'Alt+V': ['versions'],
  'Alt+H': ['history'],
  'Alt+S': ['star', 'unstar'],
  'Shift+Delete': ['deletePermanently'],
  'Alt+ArrowUp': ['goUp'],
  'Alt+G': ['editor.goToLine'],
  'Alt+Z': ['editor.wrap'],
  '/': ['filter'],
  ArrowRight: ['preview.next'],
  ArrowLeft: ['preview.previous'],
  '+': ['preview.zoomIn'],
  '-': ['preview.zoomOut'],
  '0': ['preview.fit'],
  F: ['preview.fullscreen'],
  S: ['preview.slideshow'],
  M: ['preview.mute'],
  J: ['preview.seekBack'],
  L: ['preview.seekForward'],
  '1': ['preview.actualSize'],
  E: ['preview.edit'],
  'Alt+PageDown': ['preview.next'],
  'Alt+PageUp': ['preview.previous'],
}

it('every key belongs to the actions it is specified for', () => {
  const bound = [...ACTIONS, ...VIEWER_ACTIONS].flatMap(action => keysOfAction(action).map(keys => ({ keys, action })))
  const found = Object.groupBy(bound, ({ keys }) => keys)
  const ids = Object.entries(found).map(([keys, of]) => [keys, of?.map(({ action }) => action.id)])
  expect(Object.fromEntries(ids)).toEqual(KEYS)
})
