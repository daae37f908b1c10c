import { shownName } from '../../../../shared/bytes.ts'
import { type DocumentProps, fetchDocument } from '../document/bytes.ts'
import { Loaded } from '../document/loaded.tsx'
import { type Paper, PaperFrame } from '../document/paper/paper-frame.tsx'
import { renderWord } from './render-word.ts'

/** A text document, page by page, as far as a browser lays it out like its program. */
export default function WordViewer(props: DocumentProps) {
  return (
    <Loaded document={props} kind="word" load={loadWord}>
      {paper => <PaperFrame {...paper} title={shownName(props.resource.name)} />}
    </Loaded>
  )
}

async function loadWord(document: DocumentProps, signal: AbortSignal): Promise<Paper> {
  return renderWord(await fetchDocument(document, signal))
}
