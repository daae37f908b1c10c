import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useSession } from '../../lib/session.ts'
import { useLayerPart } from '../../lib/use-layer.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Download, TextWrap } from '../../ui/icons.ts'
import { downloadFiles } from '../files/api/download.ts'
import type { LoadedText } from './api/load-text.ts'
import { DraftOffer } from './draft-offer.tsx'
import type { TextDraft } from './drafts.ts'
import styles from './editor.module.css'
import { EditorBar } from './editor-bar.tsx'
import { StatusLine } from './status-line.tsx'
import { useEditing } from './use-editing.ts'
import { useWrap } from './wrap.ts'

/** Largest file that a plain text field edits without becoming slow, in bytes; of a larger one as much is shown. */
const MAX_EDITED_BYTES = 1024 * 1024

interface TextDocumentProps {
  resource: FileResource
  loaded: LoadedText
  draft: TextDraft | undefined
  draftKey: string
  onReload: () => void
  onClose: () => void
}

export function TextDocument({ resource, loaded, draft, draftKey, onReload, onClose }: TextDocumentProps) {
  const { name, path } = resource
  const area = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const [wrap, toggleWrap] = useWrap()
  const barrier = useBarrier(resource, loaded)
  const [offered, setOffered] = useState(barrier === undefined ? draft : undefined)
  const { dirty, saving, change, save, restore, forget } = useEditing({ path, name, loaded, draftKey, onReload })
  const mayEdit = barrier === undefined && offered === undefined
  const { user } = useSession()
  const download = user?.perm.download ? () => void downloadFiles([resource]) : undefined
  useLayerPart({
    ...(mayEdit && { save: () => void (dirty && save()) }),
    ...(download && { download }),
    wrap: toggleWrap,
    leave: onClose,
  })
  useStart(area, mayEdit)
  const answer = (wanted: boolean) => {
    setOffered(undefined)
    if (!wanted || !offered) return forget()
    restore(offered)
    if (area.current) area.current.value = offered.text
  }
  return (
    <>
      <EditorBar name={name} dirty={dirty} onClose={onClose}>
        {download && (
          <IconButton label={t('common.download')} onClick={download}>
            <Download size={18} aria-hidden />
          </IconButton>
        )}
        <IconButton label={t('actions.wrap')} keys="Alt+Z" aria-pressed={wrap} onClick={toggleWrap}>
          <TextWrap size={18} aria-hidden />
        </IconButton>
        {barrier === undefined && (
          <Button kind="primary" busy={saving} aria-disabled={!dirty || undefined} onClick={() => dirty && void save()}>
            {t('fields.save')}
          </Button>
        )}
      </EditorBar>
      {barrier !== undefined && (
        <p className={styles.notice} role="note">
          {barrier}
        </p>
      )}
      {offered && <DraftOffer draft={offered} onAnswer={answer} />}
      <textarea
        ref={area}
        className={styles.text}
        aria-label={t('editor.text', { name: shownName(name) })}
        defaultValue={resource.size > MAX_EDITED_BYTES ? loaded.text.slice(0, MAX_EDITED_BYTES) : loaded.text}
        readOnly={!mayEdit}
        wrap={wrap ? 'soft' : 'off'}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={event => change(event.target.value)}
        onSelect={event => setCaret(event.currentTarget.selectionStart)}
      />
      <StatusLine text={area.current?.value ?? loaded.text} caret={caret} size={resource.size} end={loaded.lineEnd} />
    </>
  )
}

/** Why this text cannot be changed here; `undefined` when it can. */
function useBarrier({ type, size }: FileResource, { exact }: LoadedText): string | undefined {
  const { user } = useSession()
  if (type === 'textImmutable' || !user?.perm.modify) return t('editor.readOnly')
  if (!exact) return t('editor.notUtf8')
  return size > MAX_EDITED_BYTES ? t('editor.tooLarge', { limit: formatBytes(MAX_EDITED_BYTES) }) : undefined
}

/** Typing starts at the beginning of the text, as soon as nothing stands before it. */
function useStart(area: RefObject<HTMLTextAreaElement | null>, mayEdit: boolean): void {
  const started = useRef(false)
  useEffect(() => {
    const element = area.current
    if (!element || !mayEdit) return
    element.focus({ preventScroll: true })
    if (!started.current) element.setSelectionRange(0, 0)
    started.current = true
  }, [area, mayEdit])
}
