import { type FunctionComponent, type ReactNode, Suspense } from 'react'
import type { FileResource, ResourceItem } from '../../../shared/api/resources.ts'
import type { SharedResource } from '../../../shared/api/shares.ts'
import { parsePath } from '../../../shared/path.ts'
import { apiUrl } from '../../lib/api.ts'
import { pageConfig } from '../../lib/config.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyTool } from '../../lib/lazy.ts'
import { navigate } from '../../lib/router.tsx'
import buttons from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { Download, ExternalLink, SquarePen } from '../../ui/icons.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { OfflineBar } from '../../ui/offline-bar.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { ArchiveSource } from '../files/archive/source.ts'
import { isArchive } from '../files/items/names.ts'
import type { RelatedUrls } from '../files/items/related-urls.ts'
import { ThumbAddress } from '../files/items/thumb.tsx'
import { publicPath, publicPreview } from './api/addresses.ts'
import { VisitorName } from './edit/late-edit.ts'
import { NotShown } from './late-limits.ts'
import { type Link, linkAddress, pathOf } from './link.ts'
import { type FindViewer, Preview } from './preview.tsx'
import styles from './public-share.module.css'
import { SharedHeader } from './shared-header.tsx'
import { type Turn, useNeighbours } from './use-neighbours.ts'

/** The shell of a preview over the page. */
export type Shell = FunctionComponent<{
  resource: FileResource
  turn: Turn
  paper: 'pages' | 'sheet' | undefined
  save: string | undefined
  open: string | undefined
  pictureUrl: ((item: ResourceItem) => string) | undefined
  goTo: (item: ResourceItem) => void
  onClose: () => void
  onEdit: (() => void) | undefined
  children: ReactNode
}>

interface SharedFileProps {
  link: Link
  file: FileResource & Pick<SharedResource, 'downloadsLeft' | 'previewOnly'>
  findViewer: FindViewer
  /** Opens a text that the visitor may change. */
  onEdit: (() => void) | undefined
}

/** A file that is shared alone. */
export function SharedFile({ link, file, findViewer, onEdit }: SharedFileProps) {
  const { save, open } = urlsOf(link, file)
  return (
    <>
      <SharedHeader resource={file} name={file.name} extent={formatBytes(file.size)} left={file.downloadsLeft}>
        {onEdit && link.sender !== undefined && (
          <LazyBoundary>
            <VisitorName link={link} />
          </LazyBoundary>
        )}
        {onEdit && (
          <Button kind="primary" icon={<SquarePen size={18} aria-hidden />} onClick={onEdit}>
            {t('actions.edit')}
          </Button>
        )}
        {open !== undefined && (
          <a className={`${buttons.button} ${buttons.plain}`} href={open} target="_blank" rel="noreferrer">
            <ExternalLink size={18} aria-hidden />
            {t('common.open')}
          </a>
        )}
        {save !== undefined && (
          <a
            className={`${buttons.button} ${onEdit ? buttons.plain : buttons.primary}`}
            href={save}
            download={file.name}
          >
            <Download size={18} aria-hidden />
            {t('common.download')}
          </a>
        )}
      </SharedHeader>
      <Content link={link} file={file} findViewer={findViewer} />
    </>
  )
}

/** A file in a shared folder, over the page. */
export function FileInFolder(props: SharedFileProps & { stale: boolean; shell: Shell; onClose: () => void }) {
  const { link, file, stale, shell: PreviewShell, findViewer, onClose } = props
  const viewer = findViewer(file)
  const turn = useNeighbours(link, file.path)
  return (
    <ThumbAddress value={(item, size) => apiUrl(publicPreview(size, link, item))}>
      <PreviewShell
        resource={file}
        turn={turn}
        paper={viewer ? viewer.paper : 'sheet'}
        {...urlsOf(link, file)}
        pictureUrl={pictureUrlOf(link, file)}
        goTo={item => void navigate(linkAddress(link, parsePath(item.path)), { replace: true })}
        onClose={onClose}
        onEdit={props.onEdit}
      >
        {stale && <OfflineBar />}
        <Content link={link} file={file} findViewer={findViewer} />
      </PreviewShell>
    </ThumbAddress>
  )
}

/** Whether to show the content would count as a download, or is refused. */
const isCounted = ({ downloadsLeft, previewOnly }: SharedFileProps['file']) =>
  downloadsLeft !== undefined || previewOnly === true

/** The addresses of the content: to save it, and to show it in a tab where a browser can. */
function urlsOf(
  { hash, ticket: token }: Link,
  file: SharedFileProps['file'],
): { save: string | undefined; open: string | undefined } {
  const path = pathOf(file)
  const shown = apiUrl(publicPath('dl', hash, path, { token, inline: true }))
  return {
    save: file.previewOnly ? undefined : apiUrl(publicPath('dl', hash, path, { token })),
    open: file.type === 'blob' || isCounted(file) ? undefined : shown,
  }
}

/** What the viewer shows of each image of the folder; nothing where only the first of them would be shown. */
function pictureUrlOf(link: Link, file: SharedFileProps['file']): ((item: ResourceItem) => string) | undefined {
  if (pageConfig.ResizePreview) return item => apiUrl(publicPreview('big', link, item))
  if (isCounted(file)) return undefined
  return item => apiUrl(publicPath('dl', link.hash, item.path, { token: link.ticket, inline: true }))
}

/** The file in its viewer. */
function Content({ link, file, findViewer }: Omit<SharedFileProps, 'onEdit'>) {
  if (isArchive(file.name) && !file.previewOnly) return <SharedArchive link={link} file={file} />
  const shown = publicPath('dl', link.hash, pathOf(file), { token: link.ticket, inline: true })
  const pictured = file.type === 'image' && pageConfig.ResizePreview
  if (isCounted(file) && !pictured)
    return (
      <LazyBoundary>
        <NotShown previewOnly={file.previewOnly === true} />
      </LazyBoundary>
    )
  return (
    <ThumbAddress value={(item, size) => apiUrl(publicPreview(size, link, item))}>
      <Preview
        key={shown}
        file={file}
        source={pictured ? publicPreview('big', link, file) : shown}
        relatedUrls={relatedUrlsOf(link, file.path)}
        viewer={findViewer(file)?.component}
      />
    </ThumbAddress>
  )
}

/** Resolves references relative to a shared file; a file shared alone has no related files. */
function relatedUrlsOf(link: Link, path: string): RelatedUrls {
  const { hash, ticket: token } = link
  const isAlone = path === ''
  return {
    page: target => (isAlone ? undefined : linkAddress(link, target)),
    content: target => (isAlone ? undefined : publicPath('dl', hash, target, { token, inline: true })),
    subtitles: target => publicPath('subtitle', hash, target, { token }),
  }
}

const ArchiveBrowser = lazyTool(() => import('../files/archive/browser.tsx'))

/** A shared archive, browsed on the server. */
function SharedArchive({ link, file }: { link: Link; file: FileResource }) {
  const { hash, ticket: token } = link
  const source: ArchiveSource = {
    key: `${hash}${file.path}\n${file.modified}`,
    name: file.name,
    list: place => publicPath('archives/list', hash, file.path, { in: place, token }),
    member: (place, inline) => publicPath('archives/member', hash, file.path, { member: place, inline, token }),
    auth: false,
  }
  return (
    <div className={styles.archive}>
      <Suspense fallback={<Spinner label={t('common.loading')} />}>
        <ArchiveBrowser key={source.key} source={source} />
      </Suspense>
    </div>
  )
}
