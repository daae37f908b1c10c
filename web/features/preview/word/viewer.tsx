import { shownName } from '../../../../shared/bytes.ts'
import { type DocumentProps, fetchDocument } from '../document/bytes.ts'
import { DocumentFrame, type FramedDocument } from '../document/frame/document-frame.tsx'
import { Loaded } from '../document/loaded.tsx'
import { renderWord } from './render-word.ts'

/** A text document, page by page, as close to its original layout as a browser gets. */
export default function WordViewer(props: DocumentProps) {
  return (
    <Loaded document={props} kind="word" load={loadWord}>
      {pages => <DocumentFrame {...pages} title={shownName(props.resource.name)} />}
    </Loaded>
  )
}

async function loadWord(document: DocumentProps, signal: AbortSignal): Promise<FramedDocument> {
  return renderWord(await fetchDocument(document, signal))
}
