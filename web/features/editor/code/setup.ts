import { defaultKeymap, history, historyKeymap, indentWithTab, selectAll } from '@codemirror/commands'
import { bracketMatching, indentOnInput, type LanguageSupport } from '@codemirror/language'
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  highlightSelectionMatches,
  search,
  searchPanelOpen,
  selectNextOccurrence,
} from '@codemirror/search'
import { Compartment, EditorState, type Extension, Prec, type Text } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  type KeyBinding,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { formatNumber } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { directions } from './directions.ts'
import { indentationOf } from './language.ts'
import { theme, withoutCaret } from './theme.ts'

/** Milliseconds after Escape in which Tab moves to the next control, and Escape to the folder. */
const LEAVING = 2000

export interface CodeOptions {
  /** Accessible name. */
  label: string
  readOnly: boolean
  wrap: boolean
}

/** Callbacks of an editor. */
export interface CodeEvents {
  /** The text or the caret has changed. */
  onUpdate: (state: EditorState, changed: boolean) => void
  /** The search was opened or closed. */
  onSearch: (open: boolean) => void
  /** Escape was pressed once: the next key may leave the text. */
  onLeaving: () => void
}

const options = new Compartment()
const language = new Compartment()

/** The complete setup of an editor for an initial text. */
export function setup(text: Text, start: CodeOptions, events: CodeEvents): Extension {
  return [
    base(),
    history(),
    indentOnInput(),
    indentationOf(text),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true, createPanel: () => panel(events) }),
    leavingKeys(events),
    keymap.of([...SEARCH_KEYS, ...defaultKeymap, ...historyKeymap]),
    EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged || selectionSet) events.onUpdate(state, docChanged)
    }),
    EditorView.domEventHandlers({ beforeinput: typeOver }),
    // Pasted text has line endings of its own.
    EditorView.clipboardInputFilter.of(pasted => pasted.replace(/\r\n?/g, '\n')),
    options.of(optionsOf(start)),
    language.of([]),
  ]
}

/** The setup of a text to read: keys scroll instead of moving a caret. */
export function readingSetup(text: Text, start: Omit<CodeOptions, 'readOnly'>, onSearch: CodeEvents['onSearch']) {
  return [
    base(),
    indentationOf(text),
    EditorView.editable.of(false),
    withoutCaret,
    search({ top: true, createPanel: () => panel({ onSearch }) }),
    keymap.of([...SEARCH_KEYS.filter(({ key }) => key === 'F3'), { key: 'Mod-a', run: selectAll }]),
    options.of(optionsOf({ ...start, readOnly: true })),
    language.of([]),
  ]
}

/** The display of a text, editable or not. */
export function base(): Extension {
  return [
    lineNumbers(),
    highlightSpecialChars({ render: symbolOf }),
    drawSelection(),
    bracketMatching(),
    directions,
    theme,
    EditorState.phrases.of(phrases()),
    // A CR that is not part of this text's line endings belongs to its line, and is shown there.
    EditorState.lineSeparator.of('\n'),
  ]
}

export function setOptions(view: EditorView, to: CodeOptions): void {
  view.dispatch({ effects: options.reconfigure(optionsOf(to)) })
}

export function setLanguage(view: EditorView, support: LanguageSupport): void {
  view.dispatch({ effects: language.reconfigure(support) })
}

function optionsOf({ label, readOnly, wrap }: CodeOptions): Extension {
  return [
    EditorState.readOnly.of(readOnly),
    // Tab moves to the next control where nothing can be indented.
    readOnly ? [] : keymap.of([indentWithTab]),
    wrap ? EditorView.lineWrapping : [],
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-readonly': String(readOnly),
      spellcheck: 'false',
      tabindex: '0',
      ...(readOnly ? { inputmode: 'none' } : { 'aria-description': t('editor.leaving') }),
    }),
  ]
}

const SEARCH_KEYS: readonly KeyBinding[] = [
  { key: 'F3', run: findNext, shift: findPrevious },
  { key: 'Mod-d', run: selectNextOccurrence, preventDefault: true },
]

/**
 * Escape closes the search; otherwise the next Tab leaves the text, and a second Escape propagates and closes the
 * editor.
 */
function leavingKeys({ onLeaving }: CodeEvents): Extension {
  let until = 0
  const run = (view: EditorView): boolean => {
    if (searchPanelOpen(view.state)) return closeSearchPanel(view)
    if (view.state.readOnly || Date.now() < until) return false
    until = Date.now() + LEAVING
    view.setTabFocusMode(LEAVING)
    onLeaving()
    return true
  }
  return Prec.high(keymap.of([{ key: 'Escape', run }]))
}

/** The search bar is the application's own; without a panel matches would not be marked. */
function panel({ onSearch }: Pick<CodeEvents, 'onSearch'>) {
  return { dom: document.createElement('div'), mount: () => onSearch(true), destroy: () => onSearch(false) }
}

/**
 * Replaces the selection. The browser's default would keep the style of the selected letters as an inline style, which
 * the page's policy forbids and reports.
 */
function typeOver({ inputType, data }: InputEvent, view: EditorView): boolean {
  const { state, composing } = view
  const usual = inputType !== 'insertText' || data === null || composing
  if (usual || state.readOnly || state.selection.ranges.every(range => range.empty)) return false
  view.dispatch(state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true }))
  return true
}

/** The symbol of a control character (Unicode, Control Pictures). */
function symbolOf(code: number): HTMLElement {
  const element = document.createElement('span')
  element.className = 'cm-specialChar'
  element.textContent = code < 32 ? String.fromCharCode(0x24_00 + code) : '•'
  return element
}

/** The editor's own announcements, without deleted selections, which screen readers announce anyway. */
function phrases(): Record<string, string> {
  return {
    'current match': t('editor.find'),
    'on line': t('editor.line'),
    'replaced match on line $': t('editor.replaced', { count: formatNumber(1) }),
    'replaced $ matches': t('editor.replaced', { count: '$' }),
    'Selection deleted': ' ',
    '$ unchanged lines': `⋯ $ ⋯`,
  }
}
