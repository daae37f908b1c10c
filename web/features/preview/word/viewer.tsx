import { shownName } from '../../../../shared/bytes.ts'
import { useTheme } from '../../../lib/theme.ts'
import { type DocumentProps, fetchDocument } from '../document/bytes.ts'
import { darkRules } from '../document/frame/dark-theme.ts'
import { DocumentFrame, type FramedDocument } from '../document/frame/document-frame.tsx'
import { Loaded } from '../document/loaded.tsx'
import { renderWord } from './render-word.ts'

/** A text document, page by page, as close to its original layout as a browser gets. */
export default function WordViewer(props: DocumentProps) {
  return (
    <Loaded document={props} kind="word" load={loadWord}>
      {paper => <Letter paper={paper} name={props.resource.name} />}
    </Loaded>
  )
}

/** The paper stays white; its background has the colours of the page. */
function Letter({ paper: { css, ...paper }, name }: { paper: FramedDocument; name: string }) {
  const table = darkRules(useTheme(), ':root { background: #07090c; }')
  return <DocumentFrame {...paper} css={css + table} title={shownName(name)} />
}

async function loadWord(document: DocumentProps, signal: AbortSignal): Promise<FramedDocument> {
  return renderWord(await fetchDocument(document, signal))
}
