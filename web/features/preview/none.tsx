import type { FileResource } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { parentOf, parsePath, segmentsOf } from '../../../shared/path.ts'
import { apiUrl } from '../../lib/api.ts'
import { formatBytes, formatDate } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { rawPath } from '../../lib/resource.ts'
import { filesUrl } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { Breadcrumb, type Crumb } from '../../ui/breadcrumb.tsx'
import buttons from '../../ui/button.module.css'
import { Glyph, kindOf } from '../../ui/glyph.tsx'
import { Download, ExternalLink } from '../../ui/icons.ts'
import styles from './none.module.css'

/** A file that cannot be shown: what it is, and ways to get it. */
export default function NoPreview({ resource }: { resource: FileResource }) {
  const { user } = useSession()
  return (
    <div className={styles.screen}>
      <div className={styles.bar}>
        <Breadcrumb
          label={t('common.path')}
          hiddenLabel={t('common.hiddenFolders')}
          root={{ label: t('nav.myFiles'), to: '/files/' }}
          crumbs={crumbsOf(resource.path)}
        />
      </div>
      <div className={styles.card}>
        <Glyph kind={kindOf(resource)} large />
        <h1 className={styles.name}>
          <bdi>{shownName(resource.name)}</bdi>
        </h1>
        <p className={styles.facts}>
          <bdi>{formatBytes(resource.size)}</bdi>
          <span aria-hidden="true"> · </span>
          <time dateTime={resource.modified}>{formatDate(resource.modified)}</time>
        </p>
        <p>{t('common.noPreview')}</p>
        {user?.perm.download && <Actions resource={resource} />}
      </div>
    </div>
  )
}

function Actions({ resource }: { resource: FileResource }) {
  return (
    <div className={styles.actions}>
      <a
        className={`${buttons.button} ${buttons.primary}`}
        href={apiUrl(rawPath(resource.path))}
        download={resource.name}
      >
        <Download size={18} aria-hidden />
        {t('common.download')}
      </a>
      <a
        className={`${buttons.button} ${buttons.plain}`}
        href={apiUrl(rawPath(resource.path, true))}
        target="_blank"
        rel="noreferrer"
      >
        <ExternalLink size={18} aria-hidden />
        {t('common.open')}
      </a>
    </div>
  )
}

/** One crumb per folder on the way, and one for the file itself. */
function crumbsOf(text: string): Crumb[] {
  const path = parsePath(text)
  const folders = segmentsOf(parentOf(path))
  const crumbs = folders.map((label, index) => ({
    label,
    to: filesUrl(`/${folders.slice(0, index + 1).join('/')}`, true),
  }))
  return [...crumbs, { label: segmentsOf(path).at(-1) ?? '', to: filesUrl(path) }]
}
