import { type Extension, RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'

/** Right-to-left letters and directional marks. */
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u061c\u200f]/u

const byLetters = Decoration.line({ attributes: { dir: 'auto' } })

/** Lines with such letters follow the direction of their first letter, and the caret with them. */
const plugin = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = markedIn(view)
    }

    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.decorations = markedIn(view)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

function markedIn({ state, visibleRanges }: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>()
  let done = -1
  for (const { from, to } of visibleRanges) {
    for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
      const start = Math.max(from, line.from)
      if (line.from > done && RIGHT_TO_LEFT.test(state.sliceDoc(start, Math.min(to, line.to)))) {
        marks.add(line.from, line.from, byLetters)
        done = line.from
      }
      if (line.to >= to || line.number === state.doc.lines) break
    }
  }
  return marks.finish()
}

export const directions: Extension = [plugin, EditorView.perLineTextDirection.of(true)]
