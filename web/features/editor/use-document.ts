import { Text } from '@codemirror/state'
import { type RefObject, useRef, useState } from 'react'
import type { TextFormat } from '../files/items/text-encoding.ts'
import type { LoadedText } from './api/load-text.ts'
import type { TextDraft } from './drafts.ts'
import { type Drafts, useDrafts } from './use-drafts.ts'

/** A text as last saved. */
export interface SavedDocument extends TextFormat {
  text: Text
  version: string
}

/** The current text, with the last saved one. */
export interface EditedDocument {
  /** Initial text of an editor. */
  start: Text
  /** As of now. */
  text: RefObject<Text>
  saved: RefObject<SavedDocument>
  format: TextFormat
  setFormat(format: TextFormat): void
  /** Whether there are unsaved changes, as rendered; `isDirty` is current at the time of the call. */
  dirty: boolean
  isDirty(): boolean
  drafts: Drafts
  change(now: Text): void
  /** Records what has been saved. */
  settle(now: SavedDocument): void
  /** Restores a draft. @returns the text */
  restore(draft: TextDraft): Text
}

/** The state of an edited text, stored as a draft while it is unsaved. */
export function useDocument(loaded: LoadedText, draftKey: string): EditedDocument {
  const [start, setStart] = useState(() => textOf(loaded.text))
  const text = useRef(start)
  const saved = useRef<SavedDocument>({ ...loaded, text: start })
  const [format, setFormat] = useState<TextFormat>(loaded)
  const [savedFormat, setSavedFormat] = useState<TextFormat>(loaded)
  const [changed, setChanged] = useState(false)
  const dirty = changed || !isSameFormat(format, savedFormat)
  const drafts = useDrafts(draftKey, dirty, () => ({ text: text.current, version: saved.current.version }))
  return {
    start,
    text,
    saved,
    format,
    setFormat,
    dirty,
    isDirty: () => !(text.current.eq(saved.current.text) && isSameFormat(format, saved.current)),
    drafts,
    change: now => {
      text.current = now
      setChanged(!now.eq(saved.current.text))
    },
    settle: now => {
      saved.current = now
      // The user may have typed in the meantime.
      const same = text.current.eq(now.text)
      if (same) drafts.forget()
      setChanged(!same)
      setSavedFormat(now)
    },
    restore: draft => {
      text.current = textOf(draft.text)
      saved.current = { ...saved.current, version: draft.version }
      setStart(text.current)
      setChanged(true)
      return text.current
    },
  }
}

/** The lines of a text. */
export const textOf = (text: string): Text => Text.of(text.split('\n'))

const isSameFormat = (a: TextFormat, b: TextFormat): boolean => a.encoding === b.encoding && a.lineEnd === b.lineEnd
