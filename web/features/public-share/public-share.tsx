import { type ComponentType, Suspense, useEffect, useMemo, useState } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import type { FileRequest, SharedResource } from '../../../shared/api/shares.ts'
import { MAX_EDITED_BYTES } from '../../../shared/limits.ts'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { instanceName } from '../../lib/config.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { keepPreviousData, useQuery } from '../../lib/query.ts'
import { useOpenName } from '../../lib/title.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { OfflineBar } from '../../ui/offline-bar.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { foldersOf, sharedQuery } from './api/share.ts'
import { begin } from './edit/begin.ts'
import type { Edit, UploadParts } from './edit/edit.ts'
import type { TextEditor } from './edit/edited-text.tsx'
import { EditedText } from './edit/late-edit.ts'
import { Paused, UsedUp } from './late-limits.ts'
import { type Link, nameOfShared } from './link.ts'
import { PasswordCard } from './password-card.tsx'
import type { FindViewer } from './preview.tsx'
import styles from './public-share.module.css'
import { FileInFolder, SharedFile, type Shell } from './shared-file.tsx'
import { SharedFolder } from './shared-folder.tsx'
import { useTicket } from './ticket.ts'
import { useCloseFile } from './use-close-file.ts'

export interface PublicShareProps {
  hash: string
  /** Below the share. */
  path: FilePath
  findViewer: FindViewer
  /** Around a file in a folder. */
  shell: Shell
  /** What a file request shows. */
  requestPage: ComponentType<RequestPageProps>
  /** What a link to edit uploads with. */
  uploads: UploadParts
  /** What it changes texts with. */
  textEditor: TextEditor
}

/** A file request as its visitor has opened it. */
export interface RequestPageProps {
  hash: string
  /** See `Link`. */
  ticket: string | undefined
  /** What is asked for. */
  title: string
  request: FileRequest
  /** Fetches the request again: its limits, and a new ticket. */
  onReload: () => Promise<unknown>
}

/** The page of a public share. */
export default function PublicShare(props: PublicShareProps) {
  const { hash, path, findViewer, shell, requestPage: RequestPage, uploads, textEditor } = props
  // The previous folder stays visible, inert, until the next one has loaded.
  const query = useQuery({ ...sharedQuery(hash, path), placeholderData: keepPreviousData })
  const { data, error } = query
  useOpenName(data && nameOfShared(data))
  const link: Link = { hash, ticket: useTicket(hash), sender: data?.sender }
  // The path of the text that is being changed.
  const [edited, setEdited] = useState<string>()
  useEffect(() => () => setEdited(undefined), [path])
  const close = useCloseFile(link, data)
  const folders = useMemo(() => foldersOf(hash), [hash])
  const edit = data?.rights && { rights: data.rights, folders, UploadButton: uploads.Button }
  const file = data && !('items' in data) ? data : undefined
  if (file && file.path === edited) {
    const onClose = () => setEdited(undefined)
    return (
      <Suspense fallback={<Spinner label={t('common.loading')} />}>
        <EditedText {...{ link, file, folders, onClose }} editor={textEditor} />
      </Suspense>
    )
  }
  if (error instanceof ApiError && error.status === 401) return <PasswordCard hash={hash} path={path} />
  const request = data && 'items' in data ? data.request : undefined
  const shared = { link, stale: error !== null, findViewer }
  const onEdit = edit && file && isEditable(edit, file) ? () => begin(link, () => setEdited(file.path)) : undefined
  const card = edit && (
    <LazyBoundary>
      <uploads.Card
        {...{ hash, folders, ticket: link.ticket, rights: edit.rights, isNamed: link.sender !== undefined }}
      />
    </LazyBoundary>
  )
  if (file && file.path !== '') {
    return (
      <Suspense fallback={<Spinner label={t('common.loading')} />}>
        <FileInFolder {...{ ...shared, file, onEdit }} shell={shell} onClose={close} />
        {card}
      </Suspense>
    )
  }
  return (
    <main className={styles.page} aria-busy={query.isFetching} inert={query.isPlaceholderData}>
      <p className={styles.brand}>
        <BrandMark />
        <span className={styles.brandName}>{instanceName}</span>
      </p>
      {!data && error && <Failure error={error} whole={path === ROOT} onRetry={() => void query.refetch()} />}
      {!data && !error && <Spinner label={t('common.loading')} onRetry={() => void query.refetch()} />}
      {data?.note !== undefined && path === ROOT && (
        <p className={styles.note} dir="auto">
          {data.note}
        </p>
      )}
      {data && !request && <Shared {...{ ...shared, edit, onEdit }} resource={data} />}
      {card}
      {data && request && (
        <Suspense fallback={<Spinner label={t('common.loading')} />}>
          <RequestPage {...link} title={data.name} request={request} onReload={query.refetch} />
        </Suspense>
      )}
    </main>
  )
}

interface SharedProps {
  link: Link
  resource: SharedResource
  stale: boolean
  findViewer: FindViewer
  /** Of a link to edit. */
  edit: Edit | undefined
  /** Of a text that the visitor may change. */
  onEdit: (() => void) | undefined
}

/** Whether a visitor may change the text of a file. */
const isEditable = ({ rights }: Edit, { type, size }: FileResource) =>
  rights.includes('modify') && type === 'text' && size <= MAX_EDITED_BYTES

function Shared({ link, resource, stale, findViewer, edit, onEdit }: SharedProps) {
  return (
    <>
      {stale && <OfflineBar />}
      {'items' in resource ? (
        <SharedFolder key={resource.path} link={link} folder={resource} edit={edit} />
      ) : (
        <SharedFile {...{ link, findViewer, onEdit }} file={resource} />
      )}
    </>
  )
}

/** Why nothing is shown: a plain sentence, with an action where there is one. @param whole the link itself was asked for */
function Failure({ error, whole, onRetry }: { error: unknown; whole: boolean; onRetry: () => void }) {
  const { status, retryAfter } = error instanceof ApiError ? error : { status: 500, retryAfter: undefined }
  if (error instanceof ApiError && error.code === 'limit_reached') {
    return (
      <LazyBoundary>
        <UsedUp />
      </LazyBoundary>
    )
  }
  if (error instanceof ApiError && error.code === 'link_paused') {
    return (
      <LazyBoundary>
        <Paused />
      </LazyBoundary>
    )
  }
  if (status === 404 && whole) {
    const detail = `${t('publicShare.gone')} ${t('publicShare.askAgain')}`
    return <ErrorState level={1} text={t('publicShare.ended')} detail={detail} />
  }
  if (status === 404) return <ErrorState level={1} text={errorText(error)} detail={t('publicShare.gone')} />
  const busy = status === 429 ? t('auth.tooManyAttempts', { seconds: retryAfter ?? 60 }) : undefined
  return (
    <ErrorState level={1} text={busy ?? errorText(error)}>
      <Button kind="primary" onClick={onRetry}>
        {t('common.retry')}
      </Button>
    </ErrorState>
  )
}
