import type { EditorView } from '@codemirror/view'
import { useEffect, useRef, useState } from 'react'
import type { FileResource } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { t } from '../../../lib/i18n/index.ts'
import { navigate, shownUrl } from '../../../lib/router.tsx'
import { useStore } from '../../../lib/store.ts'
import { useViewerCommands, useViewerKeys } from '../../../lib/viewer-commands.ts'
import { isMarkdown } from '../../files/items/names.ts'
import { editorActions } from '../actions.ts'
import type { LoadedText } from '../api/load-text.ts'
import { GoToLine } from '../code/go-to-line.tsx'
import { ReadArea } from '../code/read-area.tsx'
import { SearchBar } from '../code/search-bar.tsx'
import { useFinding } from '../code/use-finding.ts'
import type { TextDraft } from '../drafts.ts'
import { Rendered } from '../markdown/rendered.tsx'
import notices from '../notice.module.css'
import { toggleWrap, wrapPreference } from '../preferences.ts'
import { flawOf, useMayModify } from '../use-barrier.ts'
import { textOf } from '../use-document.ts'
import { MAX_RENDERED } from '../use-layout.ts'
import { DraftNote } from './draft-note.tsx'
import styles from './reading.module.css'
import { ReadingBar } from './reading-bar.tsx'

interface ReadTextProps {
  resource: FileResource
  loaded: LoadedText
  /** An unsaved draft of the user. */
  draft: TextDraft | undefined
}

/** The editor's actions that a text to read has as well. */
const KEYS = editorActions.filter(({ id }) => /\.(?:find|goToLine|wrap)$/.test(id))

/** A loaded text. */
export function ReadText({ resource, loaded, draft }: ReadTextProps) {
  const { name, path } = resource
  const viewer = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const isRendered = isMarkdown(name) && loaded.text.length <= MAX_RENDERED
  const [text] = useState(() => textOf(loaded.text))
  const finding = useFinding(view, !isRendered)
  const wrap = useStore(wrapPreference.store) === 'on'
  const flaw = flawOf(loaded)
  const mayEdit = useMayModify(resource) && flaw === undefined
  const commands = {
    ...(mayEdit && { edit: () => void navigate(shownUrl(path, 'text'), { replace: true }) }),
    ...(!isRendered && { find: finding.find, goToLine: finding.beginGoTo, wrap: toggleWrap }),
  }
  useViewerCommands(commands)
  useViewerKeys(KEYS, { inText: true })
  useEffect(() => takeFocus(view.current?.contentDOM ?? viewer.current?.querySelector('[tabindex="0"]')), [])
  return (
    <div ref={viewer} className={styles.viewer}>
      <ReadingBar path={path} wrap={wrap} commands={commands} />
      {flaw !== undefined && (
        <p className={notices.notice} role="note">
          {flaw}
        </p>
      )}
      {draft && commands.edit && <DraftNote draft={draft} onEdit={commands.edit} />}
      {finding.searching && <SearchBar view={view} readOnly />}
      {finding.goingTo && <GoToLine view={view} onClose={finding.endGoTo} />}
      <div className={styles.text}>
        {isRendered ? (
          <Rendered resource={resource} text={loaded.text} />
        ) : (
          <ReadArea
            text={text}
            name={name}
            label={t('editor.text', { name: shownName(name) })}
            wrap={wrap}
            view={view}
            onSearch={finding.setSearching}
          />
        )}
      </div>
    </div>
  )
}

/** Focuses an element for the keys that scroll, unless the user has moved on to a control. */
function takeFocus(element: HTMLElement | null | undefined): void {
  const { activeElement } = document
  if (activeElement && !activeElement.matches('body, main')) return
  element?.focus({ preventScroll: true, focusVisible: false } as FocusOptions)
}
