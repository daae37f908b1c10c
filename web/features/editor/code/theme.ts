import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The highlighting colours, which `code.module.css` defines for light and dark. */
const look = EditorView.theme({
  '&': { blockSize: '100%', color: 'var(--ink)', backgroundColor: 'var(--surface)', font: 'var(--text-base)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { paddingBlock: 'var(--space-3)', caretColor: 'var(--ink)' },
  // Each line follows the direction of its own letters.
  '.cm-line': { paddingInline: 'var(--space-3)', unicodeBidi: 'plaintext', textAlign: 'start' },
  '.cm-gutters': { color: 'var(--ink-3)', backgroundColor: 'var(--surface)', borderInlineEnd: '1px solid var(--line)' },
  '.cm-lineNumbers .cm-gutterElement': { paddingInline: 'var(--space-3) var(--space-2)', minInlineSize: '4ch' },
  '.cm-activeLine': { backgroundColor: 'var(--hover)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--hover)', color: 'var(--ink)' },
  '.cm-cursor, .cm-dropCursor': { borderInlineStartColor: 'var(--ink)', borderInlineStartWidth: '2px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--code-selection)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--code-match)' },
  '.cm-searchMatch': { backgroundColor: 'var(--code-match)', outline: '1px solid var(--line-strong)' },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'var(--code-found)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--code-match)', outline: '1px solid var(--line-strong)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--code-removed)' },
  '.cm-specialChar': { color: 'var(--danger)' },
  '.cm-panels': { display: 'none' },
})

/** The look of a text to read. */
export const withoutCaret = EditorView.theme({
  '.cm-cursorLayer': { display: 'none' },
  '.cm-scroller': { touchAction: 'var(--touch)' },
  '.cm-scroller:has(> .cm-content:focus-visible)': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
})

/** The look of a diff. */
export const differenceLook = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--code-removed)' },
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--code-added)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'none',
    textDecoration: 'underline var(--danger) 2px',
  },
  '&.cm-merge-b .cm-changedText': { background: 'none', textDecoration: 'underline var(--ok) 2px' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--danger)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--ok)' },
  '.cm-deletedChunk': { paddingInline: 'var(--space-3)' },
  '.cm-collapsedLines': {
    color: 'var(--ink-2)',
    background: 'var(--sunken)',
    paddingBlock: 'var(--space-1)',
    font: 'var(--text-meta)',
  },
})

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.self], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.attributeValue], color: 'var(--code-string)' },
  { tag: [tags.comment, tags.meta, tags.documentMeta], color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color], color: 'var(--code-number)' },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName], color: 'var(--code-type)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--code-function)' },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], color: 'var(--code-property)' },
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
  { tag: tags.heading, color: 'var(--code-keyword)' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent)', textDecoration: 'underline' },
  { tag: [tags.inserted], color: 'var(--ok)' },
  { tag: [tags.deleted, tags.invalid], color: 'var(--danger)' },
])

export const theme: Extension = [look, syntaxHighlighting(colours)]
