import { Suspense } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyTool } from '../../lib/lazy.ts'
import { Spinner } from '../../ui/spinner.tsx'
import type { ArchiveSource } from '../files/archive/source.ts'
import { publicPath } from './api/addresses.ts'
import type { Link } from './link.ts'
import styles from './public-share.module.css'

const ArchiveBrowser = lazyTool(() => import('../files/archive/browser.tsx'))

/** A shared archive, browsed on the server. */
export function SharedArchive({ link, file }: { link: Link; file: FileResource }) {
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
