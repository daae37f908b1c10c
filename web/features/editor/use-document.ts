import { Text } from '@codemirror/state'
import { type RefObject, useRef, useState } from 'react'
import type { TextFormat } from '../../lib/text-encoding.ts'
import type { LoadedText } from './api/load-text.ts'
import type { TextDraft } from './drafts.ts'
import { type Drafts, useDrafts } from './use-drafts.ts'

/** A text as it was saved last. */
export interface Saved extends TextFormat {
  text: Text
  version: string
}

/** A text as it is now, beside what was saved of it. */
export interface Typed {
  /** What an editor begins with. */
  start: Text
  /** As it is at this moment. */
  text: RefObject<Text>
  saved: RefObject<Saved>
  format: TextFormat
  setFormat(format: TextFormat): void
  /** Whether there is anything to be saved; `isDirty` says so of this moment. */
  dirty: boolean
  isDirty(): boolean
  drafts: Drafts
  change(now: Text): void
  /** Notes what has been saved. */
  settle(now: Saved): void
  /** Goes on with what was typed another time. @returns the text */
  restore(draft: TextDraft): Text
}

/** What is typed into a text, kept as a draft while it is not saved. */
export function useTyped(loaded: LoadedText, draftKey: string): Typed {
  const [start, setStart] = useState(() => textOf(loaded.text))
  const text = useRef(start)
  const saved = useRef<Saved>({ ...loaded, text: start })
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
      // Somebody may have gone on typing meanwhile.
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
