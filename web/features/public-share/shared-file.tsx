import { Suspense } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { ROOT } from '../../../shared/path.ts'
import { apiUrl } from '../../lib/api.ts'
import { pageConfig } from '../../lib/config.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyTool } from '../../lib/lazy.ts'
import { useQuery } from '../../lib/query.ts'
import buttons from '../../ui/button.module.css'
import { Download, ExternalLink } from '../../ui/icons.ts'
import { Spinner } from '../../ui/spinner.tsx'
import type { ArchiveSource } from '../files/archive/source.ts'
import { isArchive } from '../files/items/names.ts'
import type { RelatedUrls } from '../files/items/related-urls.ts'
import { ThumbAddress } from '../files/items/thumb.tsx'
import { publicPath, publicPreview } from './api/addresses.ts'
import { sharedQuery } from './api/share.ts'
import { type Link, linkAddress } from './link.ts'
import { Neighbours } from './neighbours.tsx'
import { type FindViewer, Preview } from './preview.tsx'
import styles from './public-share.module.css'
import { ShareCrumbs } from './share-crumbs.tsx'
import { SharedHeader } from './shared-header.tsx'

/** A shared file, or one in a shared folder. */
export function SharedFile({ link, file, findViewer }: { link: Link; file: FileResource; findViewer: FindViewer }) {
  // A share of a file ignores what follows it in the path, where browsers expect a name (http-api 10.2).
  const path = file.path || `/${file.name}`
  const shown = publicPath('dl', link.hash, path, { token: link.ticket, inline: true })
  const pictured = file.type === 'image' && pageConfig.ResizePreview
  return (
    <>
      {file.path !== '' && <Way link={link} path={file.path} />}
      <SharedHeader resource={file} name={file.name} extent={formatBytes(file.size)}>
        {file.type !== 'blob' && (
          <a className={`${buttons.button} ${buttons.plain}`} href={apiUrl(shown)} target="_blank" rel="noreferrer">
            <ExternalLink size={18} aria-hidden />
            {t('common.open')}
          </a>
        )}
        <a
          className={`${buttons.button} ${buttons.primary}`}
          href={apiUrl(publicPath('dl', link.hash, path, { token: link.ticket }))}
          download={file.name}
        >
          <Download size={18} aria-hidden />
          {t('common.download')}
        </a>
      </SharedHeader>
      {isArchive(file.name) ? (
        <SharedArchive link={link} file={file} />
      ) : (
        <ThumbAddress value={(item, size) => apiUrl(publicPreview(size, link, item))}>
          <Preview
            key={shown}
            file={file}
            source={pictured ? publicPreview('big', link, file) : shown}
            relatedUrls={relatedUrlsOf(link, file.path)}
            viewer={findViewer(file)}
          />
        </ThumbAddress>
      )}
    </>
  )
}

/** The way back to the shared folder, whose name is not part of the file's data. */
function Way({ link, path }: { link: Link; path: string }) {
  const { data } = useQuery(sharedQuery(link.hash, ROOT))
  return (
    <div className={styles.bar}>
      <ShareCrumbs link={link} name={data?.name ?? ''} path={path} />
      <Neighbours link={link} path={path} />
    </div>
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
