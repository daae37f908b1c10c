import { useRef } from 'react'
import { shownName } from '../../../../shared/bytes.ts'
import { type Theme, useTheme } from '../../../lib/theme.ts'
import { type DocumentProps, fetchDocument } from '../document/bytes.ts'
import { WithContents } from '../document/contents.tsx'
import { darkRules } from '../document/frame/dark-theme.ts'
import { DocumentFrame, goToPlace } from '../document/frame/document-frame.tsx'
import { Loaded } from '../document/loaded.tsx'
import { type RenderedBook, renderBook } from './render-book.ts'

/** An e-book: its chapters in one document, with its table of contents alongside. */
export default function BookViewer(props: DocumentProps) {
  return (
    <Loaded document={props} kind="book" load={loadBook}>
      {book => <Reader book={book} name={props.resource.name} />}
    </Loaded>
  )
}

async function loadBook(document: DocumentProps, signal: AbortSignal): Promise<RenderedBook> {
  return renderBook(await fetchDocument(document, signal))
}

function Reader({ book: { headings, css, ...paper }, name }: { book: RenderedBook; name: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const theme = useTheme()
  return (
    <WithContents
      headings={headings}
      onGoTo={id => goToPlace(frame.current, headings.find(heading => heading.id === id)?.place ?? '')}
    >
      <DocumentFrame {...paper} css={css + readingRules(theme)} title={shownName(name)} frame={frame} />
    </WithContents>
  )
}

const LIGHT = 'background: #fff !important; color: #1d1f26;'
const DARK = 'background: #16191f !important; color: #e8e6e1;'

/** In the dark theme the text colour is ours: a book's colours assume white paper. */
const DARK_INK = 'main * { background: none !important; color: inherit !important; } a { color: #7fc4cf !important; }'

/** The application's styles for a book, which override its own. */
function readingRules(theme: Theme): string {
  const dark = `:root { color-scheme: dark; ${DARK} } ${DARK_INK}`
  return `
:root { color-scheme: light; ${LIGHT} font: 17px/1.6 "Iowan Old Style", "Palatino Linotype", Georgia, "Noto Serif", serif; }
body { margin: 0; }
main { max-inline-size: 38rem; margin-inline: auto; padding: 32px 24px 64px; overflow-wrap: anywhere; }
section + section { margin-block-start: 64px; }
img { max-inline-size: 100%; block-size: auto; }
pre { overflow-x: auto; }
table { border-collapse: collapse; }
${darkRules(theme, dark)}
`
}
