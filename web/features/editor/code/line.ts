import { EditorSelection } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * Moves the caret to the beginning of a line, clamped to the text, and scrolls it into view. @param wanted counted from
 * 1
 */
export function goToLine(view: EditorView, wanted: number): void {
  const { doc } = view.state
  const { from } = doc.line(Math.min(doc.lines, Math.max(1, Math.floor(wanted))))
  view.dispatch({
    selection: EditorSelection.cursor(from),
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  })
}
