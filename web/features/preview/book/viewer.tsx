import { useRef } from 'react'
import { shownName } from '../../../../shared/bytes.ts'
import { useTheme } from '../../../lib/theme.ts'
import { type DocumentProps, fetchDocument } from '../document/bytes.ts'
import { WithContents } from '../document/contents.tsx'
import { Loaded } from '../document/loaded.tsx'
import { goToPlace, PaperFrame } from '../document/paper/paper-frame.tsx'
import { readingRules } from './reading-rules.ts'
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
      <PaperFrame {...paper} css={css + readingRules(theme)} title={shownName(name)} frame={frame} />
    </WithContents>
  )
}
