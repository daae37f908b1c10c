import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { parsePath } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { useRoute } from '../../lib/router.tsx'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/button.tsx'
import type { LoadedText } from './api/load-text.ts'
import { CodeArea } from './code/code-area.tsx'
import { Comparison } from './code/comparison.tsx'
import { GoToLine } from './code/go-to-line.tsx'
import { goToLine } from './code/line.ts'
import { SearchBar } from './code/search-bar.tsx'
import { useFinding } from './code/use-finding.ts'
import { DocumentMenu } from './document-menu.tsx'
import { DraftOffer } from './draft-offer.tsx'
import type { TextDraft } from './drafts.ts'
import styles from './editor.module.css'
import { EditorBar } from './editor-bar.tsx'
import { Rendered } from './markdown/rendered.tsx'
import notices from './notice.module.css'
import { wrapPreference } from './preferences.ts'
import { START, StatusLine } from './status-line.tsx'
import { useBarrier } from './use-barrier.ts'
import { useEditing } from './use-editing.ts'
import { useLayout } from './use-layout.ts'
import { useTextCommands } from './use-text-commands.ts'

interface TextDocumentProps {
  resource: FileResource
  loaded: LoadedText
  draft: TextDraft | undefined
  draftKey: string
  onReload: () => void
  onClose: () => void
}

/** A loaded text: editable, or read-only. */
export function TextDocument({ resource, loaded, draft, draftKey, onReload, onClose }: TextDocumentProps) {
  const { name } = resource
  const view = useRef<EditorView>(null)
  const barrier = useBarrier(resource, loaded)
  const [offered, setOffered] = useState(barrier === undefined ? draft : undefined)
  const editing = useEditing({ path: parsePath(resource.path), name, loaded, draftKey, onReload })
  const mayEdit = barrier === undefined && offered === undefined
  const [text, setText] = useState(editing.start)
  const [place, setPlace] = useState(START)
  const layout = useLayout(name, text.length, mayEdit)
  const finding = useFinding(view, layout.source && !offered)
  const wrap = useStore(wrapPreference.store) === 'on'
  const commands = useTextCommands({ resource, finding, save: mayEdit ? editing.save : undefined, onClose })
  useStart(view, layout.source && !offered)
  const onUpdate = ({ doc, selection }: EditorState, changed: boolean) => {
    const line = doc.lineAt(selection.main.head)
    setPlace({ line: line.number, column: selection.main.head - line.from + 1 })
    if (!changed) return
    editing.change(doc)
    setText(doc)
  }
  const answer = (restored: boolean) => {
    if (restored && offered) setText(editing.restore(offered))
    else editing.forget()
    setOffered(undefined)
  }
  return (
    <>
      <EditorBar name={name} dirty={editing.dirty} onClose={onClose}>
        <DocumentMenu resource={resource} commands={commands} layout={layout} />
        {barrier === undefined && (
          <Button
            kind="primary"
            busy={editing.saving}
            aria-disabled={!editing.dirty || undefined}
            onClick={() => editing.dirty && void editing.save()}
          >
            {t('fields.save')}
          </Button>
        )}
      </EditorBar>
      {barrier !== undefined && (
        <p className={notices.notice} role="note">
          {barrier}
        </p>
      )}
      {offered && <DraftOffer draft={offered} current={loaded.version} onAnswer={answer} />}
      {finding.searching && <SearchBar view={view} readOnly={!mayEdit} />}
      {finding.goingTo && <GoToLine view={view} onClose={finding.endGoTo} />}
      <div className={styles.panes}>
        {offered ? (
          <Comparison name={name} theirs={loaded.text} mine={offered.text} />
        ) : (
          <div className={styles.pane} hidden={!layout.source}>
            <CodeArea
              text={editing.start}
              name={name}
              view={view}
              label={t('editor.text', { name: shownName(name) })}
              readOnly={!mayEdit}
              wrap={wrap}
              onUpdate={onUpdate}
              onSearch={finding.setSearching}
              onLeaving={finding.showLeavingHint}
            />
          </div>
        )}
        {layout.rendered && !offered && <Rendered resource={resource} text={text} />}
      </div>
      <StatusLine
        place={layout.source && !offered ? place : undefined}
        hint={finding.leaving ? t('editor.leaving') : undefined}
        format={editing.format}
        onFormat={mayEdit ? editing.setFormat : undefined}
        name={name}
        size={resource.size}
      />
    </>
  )
}

/** The caret starts at the beginning of the text or at the line of the address, once no prompt is in front of it. */
function useStart(view: RefObject<EditorView | null>, ready: boolean): void {
  const route = useRoute()
  const line = route.name === 'files' ? route.line : undefined
  useEffect(() => {
    if (!ready || !view.current) return
    view.current.focus()
    if (line !== undefined) goToLine(view.current, line)
  }, [view, ready, line])
}
