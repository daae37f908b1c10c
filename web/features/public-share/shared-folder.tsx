import { useEffect } from 'react'
import type { FolderResource } from '../../../shared/api/resources.ts'
import type { SharedResource } from '../../../shared/api/shares.ts'
import { parsePath } from '../../../shared/path.ts'
import { announce } from '../../lib/announce.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { Download } from '../../ui/icons.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { SplitButton } from '../../ui/split-button.tsx'
import { download, otherFormats } from './download.ts'
import type { Edit } from './edit/edit.ts'
import { EditTools } from './edit/late-edit.ts'
import { type Link, nameOfShared } from './link.ts'
import styles from './public-share.module.css'
import { ShareCrumbs } from './share-crumbs.tsx'
import { SharedHeader } from './shared-header.tsx'
import { SharedList } from './shared-list.tsx'

/** The size of everything in a folder, as far as its listing has it: not with subfolders. */
function sizeOf({ items }: FolderResource): string {
  if (items.length === 0 || items.some(({ isDir }) => isDir)) return ''
  return ` · ${formatBytes(items.reduce((sum, { size }) => sum + size, 0))}`
}

interface SharedFolderProps {
  link: Link
  folder: FolderResource & Pick<SharedResource, 'downloadsLeft' | 'previewOnly'>
  /** Of a link to edit. */
  edit: Edit | undefined
}

/** A shared folder, or a subfolder. Mounted once per folder. */
export function SharedFolder({ link, folder, edit }: SharedFolderProps) {
  const { items, previewOnly = false } = folder
  const path = parsePath(folder.path)
  const name = nameOfShared(folder)
  const count = items.length
  useEffect(() => announce(t('files.announce', { name, count })), [name, count])
  const crumbs = <ShareCrumbs link={link} name={folder.name} path={path} />
  return (
    <>
      <SharedHeader resource={folder} name={name} extent={t('files.count', { count })} left={folder.downloadsLeft}>
        {edit && (
          <LazyBoundary>
            <EditTools link={link} edit={edit} folder={path} name={name} />
          </LazyBoundary>
        )}
        {!previewOnly && (
          <SplitButton
            kind={edit ? 'plain' : 'primary'}
            icon={<Download size={18} aria-hidden />}
            disabled={count === 0}
            onClick={() => download(link, path, [])}
            menuLabel={t('download.otherFormats')}
            entries={otherFormats(link, path, [])}
          >
            {t('publicShare.downloadAll')}
            {sizeOf(folder)}
          </SplitButton>
        )}
      </SharedHeader>
      {count === 0 ? (
        <>
          <div className={styles.bar}>{crumbs}</div>
          <p className={styles.empty}>{t('files.empty')}</p>
        </>
      ) : (
        <SharedList {...{ link, folder, path, name, crumbs, edit }} canDownload={!previewOnly} />
      )}
    </>
  )
}
