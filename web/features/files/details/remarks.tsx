import { useEffect, useRef, useState } from 'react'
import type { Comment, Note } from '../../../../shared/api/remarks.ts'
import { nameOf, parentOf, parsePath } from '../../../../shared/path.ts'
import { useUserHere } from '../../../lib/actions.ts'
import { errorText } from '../../../lib/error-text.ts'
import { formatDate, formatRelative } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { lazyPart } from '../../../lib/lazy.ts'
import { notify } from '../../../lib/notices.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Pencil, Trash2 } from '../../../ui/icons.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { marksQuery } from '../api/marks.ts'
import { addComment, changeComment, commentsQuery, noteQuery, removeComment, setNote } from '../api/remarks.ts'
import facts from './details.module.css'
import { RemarkForm } from './remark-form.tsx'
import styles from './remarks.module.css'

/** Bytes; the server has the same (http-api 23.2). */
const [MOST_NOTE, MOST_COMMENT] = [4096, 8192]

const NoteText = lazyPart(async () => ({ default: (await import('../markdown/article.tsx')).Article }))

/** The note of a file or folder, and the comments on it. */
export default function Remarks({ path }: { path: string }) {
  const { data: marks, isPending } = useQuery(marksQuery(parentOf(parsePath(path))))
  if (isPending) return null
  const mark = marks?.[nameOf(parsePath(path))]
  return (
    <>
      <NoteSection path={path} isThere={marks === undefined || mark?.note === true} />
      <CommentsSection path={path} areThere={marks === undefined || mark?.comments !== undefined} />
    </>
  )
}

function NoteSection({ path, isThere }: { path: string; isThere: boolean }) {
  const { data } = useQuery({ ...noteQuery(path), enabled: isThere })
  const mayWrite = useUserHere()?.perm.modify ?? false
  const [isEdited, setEdited] = useState(false)
  const note: Note | undefined = isThere ? data : { text: '' }
  if (!note || (note.text === '' && !mayWrite)) return null
  const end = () => setEdited(false)
  const save = async (text: string) => {
    await setNote(path, text)
    end()
  }
  if (isEdited)
    return (
      <RemarkForm
        label={t('remarks.note')}
        text={note.text}
        send={t('fields.save')}
        most={MOST_NOTE}
        mayBeEmpty
        run={save}
        onCancel={end}
      />
    )
  if (note.text === '')
    return (
      <Button className={styles.add} onClick={() => setEdited(true)}>
        {t('remarks.addNote')}
      </Button>
    )
  return (
    <section className={styles.remarks} aria-label={t('remarks.note')}>
      <div className={styles.head}>
        <h3 className={styles.heading}>{t('remarks.note')}</h3>
        {mayWrite && (
          <IconButton label={t('remarks.editNote')} className={facts.copy} onClick={() => setEdited(true)}>
            <Pencil size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      <LazyBoundary
        fallback={
          <p className={styles.text} dir="auto">
            {note.text}
          </p>
        }
      >
        <NoteText path={path} text={note.text} isSmall />
      </LazyBoundary>
      {note.time !== undefined && <By name={note.username ?? ''} time={note.time} />}
    </section>
  )
}

function CommentsSection({ path, areThere }: { path: string; areThere: boolean }) {
  const { data } = useQuery({ ...commentsQuery(path), enabled: areThere })
  const items = areThere ? data?.items : []
  if (!items) return null
  return (
    <section className={styles.remarks} aria-label={t('remarks.comments')}>
      <h3 className={styles.heading}>{t('remarks.comments')}</h3>
      {items.length > 0 && (
        <ol className={styles.list}>
          {items.map(comment => (
            <li key={comment.id}>
              <OneComment comment={comment} />
            </li>
          ))}
        </ol>
      )}
      <RemarkForm
        label={t('remarks.newComment')}
        send={t('remarks.send')}
        most={MOST_COMMENT}
        run={text => addComment(path, text)}
      />
    </section>
  )
}

function OneComment({ comment: { id, username, text, time, edited, own } }: { comment: Comment }) {
  const [mode, setMode] = useState<'shown' | 'edited' | 'asked'>('shown')
  const mayDelete = useUserHere()?.perm.admin || own
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (mode === 'asked') cancel.current?.focus()
  }, [mode])
  const end = () => setMode('shown')
  const change = async (changed: string) => {
    await changeComment(id, changed)
    end()
  }
  const remove = () => removeComment(id).catch(failure => notify('error', errorText(failure)))
  if (mode === 'edited')
    return (
      <RemarkForm
        label={t('remarks.editComment')}
        text={text}
        send={t('fields.save')}
        most={MOST_COMMENT}
        run={change}
        onCancel={end}
      />
    )
  return (
    <>
      <div className={styles.head}>
        <By name={username} time={time} edited={edited} />
        {own && (
          <IconButton label={t('remarks.editComment')} className={facts.copy} onClick={() => setMode('edited')}>
            <Pencil size={16} aria-hidden />
          </IconButton>
        )}
        {mayDelete && (
          <IconButton label={t('remarks.deleteComment')} className={facts.copy} onClick={() => setMode('asked')}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      <p className={styles.text} dir="auto">
        {text}
      </p>
      {mode === 'asked' && (
        <div className={styles.buttons} role="group" aria-label={t('remarks.deleteAsk')}>
          <span>{t('remarks.deleteAsk')}</span>
          <Button kind="danger" onClick={() => void remove()}>
            {t('actions.delete')}
          </Button>
          <Button ref={cancel} onClick={end}>
            {t('common.cancel')}
          </Button>
        </div>
      )}
    </>
  )
}

function By({ name, time, edited }: { name: string; time: string; edited?: string | undefined }) {
  return (
    <p className={styles.by}>
      <bdi>{name}</bdi>{' '}
      <time dateTime={time} title={formatDate(time)}>
        {formatRelative(time)}
      </time>
      {edited !== undefined && <span title={formatDate(edited)}> {t('remarks.edited')}</span>}
    </p>
  )
}
