import type { FolderResource, ResourceItem } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { parentOf, parsePath } from '../../../../shared/path.ts'
import { useUserHere } from '../../../lib/actions.ts'
import { formatBytes, formatDate, formatNumber } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { lazyHistory, lazyLinks, lazyTool } from '../../../lib/lazy.ts'
import { placesStore } from '../../../lib/other-places.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { filesUrl } from '../../../lib/router.tsx'
import { useStore } from '../../../lib/store.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Glyph, kindOf } from '../../../ui/glyph.tsx'
import { CircleHelp, History } from '../../../ui/icons.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { kindName } from '../items/kind-name.ts'
import { Checksums } from './checksums.tsx'
import styles from './details.module.css'
import { CopyButton, Fact } from './fact.tsx'
import { FolderSize } from './folder-size.tsx'
import { totalsByKind } from './kinds.ts'
import { LinksFact } from './links-fact.tsx'
import type { Subject } from './subject.ts'

const OpenedFact = lazyHistory(() => import('./opened-fact.tsx'))
const LocksFact = lazyHistory(() => import('./locks-fact.tsx'))
const TagsFact = lazyHistory(() => import('./tags-fact.tsx'))
const Remarks = lazyHistory(() => import('./remarks.tsx'))
const SharedFact = lazyLinks(() => import('./shared-fact.tsx'))
const Manifest = lazyTool(() => import('./manifest.tsx'))
const PhotoFacts = lazyTool(() => import('./photo-facts.tsx'))

/** Names of files with lines of `sha256sum`. */
const MANIFEST_NAME = /(?:^|\/)(?:sha256sums?(?:\.txt)?|[^/]*\.sha256(?:sums?)?)$/i

/** The details of an item. */
export function DetailsContent({ subject }: { subject: Subject }) {
  if (subject.about === 'many') return <Many items={subject.items} />
  if (subject.about === 'folder') return <OpenFolder folder={subject.folder} />
  return <Item item={subject.item} />
}

function Item({ item }: { item: ResourceItem }) {
  const user = useUserHere()
  const isReceived = useStore(placesStore)?.hall === filesUrl(parentOf(parsePath(item.path)), true)
  const isFile = !item.isDir && item.type !== 'invalid_link'
  return (
    <>
      <dl className={styles.facts}>
        <Fact label={t('details.kind')}>{kindName(kindOf(item))}</Fact>
        {item.isDir ? (
          <FolderSize key={item.path} path={item.path} />
        ) : (
          <Fact label={t('files.columnSize')}>{sizeText(item.size)}</Fact>
        )}
        <Fact label={t('files.columnModified')}>
          <time dateTime={item.modified}>{formatDate(item.modified)}</time>
        </Fact>
        {isFile && (
          <LazyBoundary>
            <OpenedFact key={item.path} path={item.path} />
          </LazyBoundary>
        )}
        <LazyBoundary>
          <TagsFact key={item.path} path={item.path} />
          <LocksFact path={item.path} />
        </LazyBoundary>
        {item.isSymlink && <Fact label={t('details.link')}>{t('details.isLink')}</Fact>}
        {item.type === 'image' && user?.perm.download && (
          <LazyBoundary>
            <PhotoFacts key={item.path} item={item} />
          </LazyBoundary>
        )}
        {isReceived && (
          <LazyBoundary>
            <SharedFact path={item.path} />
          </LazyBoundary>
        )}
        <PathFact path={item.path} />
        {user?.perm.share && <LinksFact path={item.path} />}
      </dl>
      <LazyBoundary>
        <Remarks key={item.path} path={item.path} />
      </LazyBoundary>
      {user?.perm.download && <ManifestFacts key={item.path} path={item.path} isFolder={item.isDir} />}
      {isFile && user?.perm.download && <VersionsButton item={item} />}
      {isFile && user?.perm.download && <Checksums key={`${item.path} ${item.modified}`} item={item} />}
    </>
  )
}

function VersionsButton({ item }: { item: ResourceItem }) {
  return (
    <Button icon={<History size={18} aria-hidden />} onClick={() => openPrompt('versions', { item })}>
      {t('actions.versions')}
    </Button>
  )
}

/** Checksums of a folder, or the comparison with those in a file. */
function ManifestFacts({ path, isFolder }: { path: string; isFolder: boolean }) {
  if (!isFolder && !MANIFEST_NAME.test(path)) return null
  return (
    <LazyBoundary>
      <Manifest path={path} isFolder={isFolder} />
    </LazyBoundary>
  )
}

function OpenFolder({ folder }: { folder: FolderResource }) {
  const user = useUserHere()
  const { numDirs, numFiles, modified } = folder
  const path = parsePath(folder.path)
  return (
    <>
      <dl className={styles.facts}>
        <Fact label={t('details.inside')}>{t('files.counts', { folders: numDirs, files: numFiles })}</Fact>
        <FolderSize key={path} path={path} />
        <Fact label={t('files.columnModified')}>
          <time dateTime={modified}>{formatDate(modified)}</time>
        </Fact>
        <PathFact path={path} />
        {user?.perm.share && path !== '/' && <LinksFact path={path} />}
      </dl>
      {path !== '/' && (
        <LazyBoundary>
          <Remarks key={path} path={path} />
        </LazyBoundary>
      )}
      {user?.perm.download && <ManifestFacts path={path} isFolder />}
    </>
  )
}

function Many({ items }: { items: readonly ResourceItem[] }) {
  const totals = totalsByKind(items)
  return (
    <>
      <table className={styles.totals}>
        <thead className="visually-hidden">
          <tr>
            <th>{t('details.kind')}</th>
            <th>{t('details.count')}</th>
            <th>{t('files.columnSize')}</th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ kind, count, bytes }) => (
            <tr key={kind}>
              <th scope="row" className={styles.kind}>
                <Glyph kind={kind} />
                {kindName(kind)}
              </th>
              <td>{formatNumber(count)}</td>
              <td>{kind === 'folder' || bytes === undefined ? '–' : formatBytes(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {totals.every(({ bytes }) => bytes !== undefined) && (
        <p className={styles.sum}>
          {t('details.sum', { size: formatBytes(totals.reduce((sum, { bytes = 0 }) => sum + bytes, 0)) })}
        </p>
      )}
    </>
  )
}

function PathFact({ path }: { path: string }) {
  return (
    <Fact label={t('common.path')}>
      <span className={styles.path}>
        <bdi>{shownName(path)}</bdi>
        <CopyButton label={t('details.copyPath')} text={path} />
        <IconButton
          label={t('details.explainAccess')}
          className={styles.copy}
          onClick={() => openPrompt('explainAccess', { path })}
        >
          <CircleHelp size={16} aria-hidden />
        </IconButton>
      </span>
    </Fact>
  )
}

/** The size in a readable unit, and in bytes where that is more precise. */
function sizeText(bytes: number): string {
  const short = formatBytes(bytes)
  return bytes < 1024 ? short : t('details.bytes', { short, bytes })
}
