import { EditorState, type Text } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import styles from './code.module.css'
import colours from './colours.module.css'
import { type CodeEvents, type CodeOptions, setOptions, setup } from './setup.ts'
import { shadowOf } from './shadow.ts'
import { useLanguage } from './use-language.ts'
import { useMountedView } from './use-mounted-view.ts'

interface CodeAreaProps extends CodeOptions, CodeEvents {
  /** Initial text; later ones are ignored. */
  text: Text
  /** Name of the file; determines the language. */
  name: string
  /** Receives the editor while mounted. */
  view: RefObject<EditorView | null>
}

/** A text with line numbers and syntax highlighting. */
export function CodeArea({ text, name, view, label, readOnly, wrap, ...events }: CodeAreaProps) {
  const host = useRef<HTMLDivElement>(null)
  const onUpdate = useEffectEvent(events.onUpdate)
  const onSearch = useEffectEvent(events.onSearch)
  const onLeaving = useEffectEvent(events.onLeaving)
  useMountedView(host, view, parent => {
    const root = shadowOf(parent)
    const extensions = setup(
      text,
      { label, readOnly, wrap },
      {
        onUpdate: (state, changed) => onUpdate(state, changed),
        onSearch: open => onSearch(open),
        onLeaving: () => onLeaving(),
      },
    )
    return new EditorView({ state: EditorState.create({ doc: text, extensions }), parent: root, root })
  })
  useEffect(() => {
    if (view.current) setOptions(view.current, { label, readOnly, wrap })
  }, [view, label, readOnly, wrap])
  useLanguage(view, name)
  return <div ref={host} className={`${styles.code} ${colours.code}`} dir="ltr" />
}
