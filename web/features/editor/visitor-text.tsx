import type { EditorView } from '@codemirror/view'
import { useEffect, useRef, useState } from 'react'
import { shownName } from '../../../shared/bytes.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts } from '../../lib/keyboard.ts'
import { useQuery } from '../../lib/query.ts'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Overlay } from '../../ui/overlay.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { type DecodedText, decodeText } from '../files/items/text-encoding.ts'
import { CodeArea } from './code/code-area.tsx'
import { SearchBar } from './code/search-bar.tsx'
import { useFinding } from './code/use-finding.ts'
import styles from './editor.module.css'
import { EditorBar } from './editor-bar.tsx'
import notices from './notice.module.css'
import { wrapPreference } from './preferences.ts'
import { START, StatusLine } from './status-line.tsx'
import { flawOf } from './use-barrier.ts'
import { useVisitorSaving, type VisitorFile } from './use-visitor-saving.ts'

interface VisitorTextProps {
  name: string
  /** Bytes, as last known. */
  size: number
  file: VisitorFile
  onClose: () => void
}

/** A text file that the visitor of a link to edit changes. */
export default function VisitorText({ name, size, file, onClose }: VisitorTextProps) {
  const query = useQuery({
    queryKey: ['visitor-text', file.id],
    queryFn: async ({ signal }) => {
      const { bytes, version } = await file.load(signal)
      return { ...decodeText(bytes), version }
    },
    // Edits belong to the loaded text: it is never replaced automatically.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  })
  return (
    <Overlay>
      {query.data && !query.isRefetching ? (
        <EditedText
          key={query.dataUpdatedAt}
          {...{ name, size, file, onClose }}
          loaded={query.data}
          onReload={() => void query.refetch()}
        />
      ) : (
        <>
          <EditorBar name={name} back={t('common.close')} onClose={onClose} />
          {query.error ? (
            <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <Spinner label={t('common.loading')} onRetry={() => void query.refetch()} />
          )}
        </>
      )}
    </Overlay>
  )
}

interface EditedTextProps extends VisitorTextProps {
  loaded: DecodedText & { version: string }
  onReload: () => void
}

function EditedText({ name, size, file, loaded, onReload, onClose }: EditedTextProps) {
  const view = useRef<EditorView>(null)
  const flaw = flawOf({ ...loaded, cut: false })
  const { start, dirty, saving, save, change, mayLeave } = useVisitorSaving({ name, file, loaded, onReload })
  const [place, setPlace] = useState(START)
  const finding = useFinding(view, true)
  const wrap = useStore(wrapPreference.store) === 'on'
  useEffect(() => view.current?.focus(), [])
  const leave = async () => {
    if (await mayLeave()) onClose()
  }
  useShortcuts('listing', [
    { keys: 'Ctrl+S', run: () => void save(), inText: true },
    { keys: 'Ctrl+F', run: finding.find, inText: true },
    { keys: 'Escape', run: () => void leave(), inText: true },
  ])
  return (
    <>
      <EditorBar name={name} dirty={dirty} back={t('common.close')} onClose={() => void leave()}>
        {flaw === undefined && (
          <Button kind="primary" busy={saving} aria-disabled={!dirty || undefined} onClick={() => dirty && void save()}>
            {t('fields.save')}
          </Button>
        )}
      </EditorBar>
      {flaw !== undefined && (
        <p className={notices.notice} role="note">
          {flaw}
        </p>
      )}
      {finding.searching && <SearchBar view={view} readOnly={flaw !== undefined} />}
      <div className={styles.panes}>
        <div className={styles.pane}>
          <CodeArea
            text={start}
            name={name}
            view={view}
            label={t('editor.text', { name: shownName(name) })}
            readOnly={flaw !== undefined}
            wrap={wrap}
            onUpdate={({ doc, selection }, changed) => {
              const line = doc.lineAt(selection.main.head)
              setPlace({ line: line.number, column: selection.main.head - line.from + 1 })
              if (changed) change(doc)
            }}
            onSearch={finding.setSearching}
            onLeaving={finding.showLeavingHint}
          />
        </div>
      </div>
      <StatusLine
        place={place}
        hint={finding.leaving ? t('editor.leaving') : undefined}
        format={loaded}
        onFormat={undefined}
        name={name}
        size={size}
      />
    </>
  )
}
