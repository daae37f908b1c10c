import type { EditorView } from '@codemirror/view'
import { type RefObject, useEffect } from 'react'
import { isColourable, languageOf, loadLanguage } from './language.ts'
import { setLanguage } from './setup.ts'

/** Highlighting is added once it has loaded; a failure leaves the text usable. */
export function useLanguage(view: RefObject<EditorView | null>, name: string): void {
  useEffect(() => {
    const language = languageOf(name)
    if (!language || !view.current || !isColourable(view.current.state.doc)) return
    let gone = false
    loadLanguage(language)
      .then(support => !gone && view.current && setLanguage(view.current, support))
      .catch(() => undefined)
    return () => {
      gone = true
    }
  }, [view, name])
}
