import { EditorState, type Text } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import styles from './code.module.css'
import colours from './colours.module.css'
import { readingSetup, setOptions } from './setup.ts'
import { shadowOf } from './shadow.ts'
import { useLanguage } from './use-language.ts'
import { useMountedView } from './use-mounted-view.ts'

interface ReadAreaProps {
  /** Later texts are ignored. */
  text: Text
  /** Name of the file; determines the language. */
  name: string
  /** Accessible name. */
  label: string
  wrap: boolean
  /** Receives the view while mounted. */
  view: RefObject<EditorView | null>
  /** The search was opened or closed. */
  onSearch: (open: boolean) => void
}

/** A text to read, with line numbers and syntax highlighting; only the lines in view are in the document. */
export function ReadArea({ text, name, label, wrap, view, ...events }: ReadAreaProps) {
  const host = useRef<HTMLDivElement>(null)
  const onSearch = useEffectEvent(events.onSearch)
  useMountedView(host, view, parent => {
    const root = shadowOf(parent)
    const extensions = readingSetup(text, { label, wrap }, open => onSearch(open))
    return new EditorView({ state: EditorState.create({ doc: text, extensions }), parent: root, root })
  })
  useEffect(() => {
    if (view.current) setOptions(view.current, { label, wrap, readOnly: true })
  }, [view, label, wrap])
  useLanguage(view, name)
  // Unwrapped lines scroll sideways by the arrow keys.
  return (
    <div
      ref={host}
      className={`${styles.code} ${colours.code}`}
      dir="ltr"
      data-reading={wrap ? 'wrapped' : ''}
      data-arrows={!wrap || undefined}
    />
  )
}
