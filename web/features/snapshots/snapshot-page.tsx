import { type ReactNode, useState } from 'react'
import type { FileResource, FolderResource, Resource, ResourceItem } from '../../../shared/api/resources.ts'
import type { SnapshotItem } from '../../../shared/api/snapshots.ts'
import { shownName } from '../../../shared/bytes.ts'
import { type FilePath, ROOT, segmentsOf, trustedChild } from '../../../shared/path.ts'
import { ApiError, apiUrl } from '../../lib/api.ts'
import { formatDate } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useQuery } from '../../lib/query.ts'
import { filesUrl, Link } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { useOpenName } from '../../lib/title.ts'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import buttons from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { Camera, Download, Files, RotateCcw } from '../../ui/icons.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import frame from '../../ui/page-frame.module.css'
import { Spinner } from '../../ui/spinner.tsx'
import { placeQuery, type SnapshotPlace, snapshotRaw, snapshotUrl } from '../files/api/snapshots.ts'
import { useSnapshots } from '../files/items/use-snapshots.ts'
import { SnapshotFolder } from './snapshot-folder.tsx'
import styles from './snapshots.module.css'
import { TimeChoice } from './time-choice.tsx'

interface SnapshotPageProps {
  /** `at`: the id of a snapshot; `latest` for the newest one. */
  place: SnapshotPlace
  isDir: boolean
  /** A file in its viewer. @param source API call for its bytes */
  showFile: (file: FileResource, source: string) => ReactNode
}

/** A folder or file as it was in a snapshot of the file system, read only. */
export function SnapshotPage({ place: { at, path }, isDir, showFile }: SnapshotPageProps) {
  const snapshots = useSnapshots(path)
  const [newest] = snapshots.items
  const chosen = at === 'latest' ? newest : snapshots.items.find(({ id }) => id === at)
  const place = { at: chosen?.id ?? at, path }
  return (
    <div className={frame.page}>
      <Banner path={path} isDir={isDir} chosen={chosen} />
      <TimeChoice snapshots={snapshots} chosen={chosen} urlOf={id => snapshotUrl({ at: id, path }, isDir)} />
      {at === 'latest' && !newest ? (
        <NoSnapshots snapshots={snapshots} />
      ) : (
        <Entry key={place.at} place={place} isDir={isDir} showFile={showFile} />
      )}
    </div>
  )
}

function Banner({ path, isDir, chosen }: { path: FilePath; isDir: boolean; chosen: SnapshotItem | undefined }) {
  return (
    <div className={styles.banner}>
      <Camera size={18} aria-hidden />
      <p role="status">
        {chosen ? t('snapshots.banner', { when: formatDate(chosen.time) }) : t('snapshots.bannerUnknown')}
      </p>
      <Link className={`${buttons.button} ${buttons.plain}`} to={filesUrl(path, isDir)}>
        {t('snapshots.now')}
      </Link>
    </div>
  )
}

function NoSnapshots({ snapshots: { error, isLoading, reload } }: { snapshots: ReturnType<typeof useSnapshots> }) {
  if (error) return <LoadFailure error={error} onRetry={reload} />
  if (isLoading) return <Spinner label={t('common.loading')} onRetry={reload} />
  return <p className={styles.empty}>{t('snapshots.none')}</p>
}

interface EntryProps {
  place: SnapshotPlace
  isDir: boolean
  showFile: SnapshotPageProps['showFile']
}

function Entry({ place, isDir, showFile }: EntryProps) {
  const [selection, setSelection] = useState<readonly ResourceItem[]>([])
  const { data, error, refetch } = useQuery(placeQuery(place))
  useOpenName(data?.name)
  if (error && !data) {
    const isGone = error instanceof ApiError && error.status === 404
    if (isGone) return <p className={styles.empty}>{t('snapshots.gone')}</p>
    return <LoadFailure error={error} onRetry={() => void refetch()} />
  }
  if (!data) return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
  const items = selection.length > 0 ? selection : [{ ...data, path: place.path }]
  return (
    <>
      <h1 className="visually-hidden">{shownName(data.name) || t('files.home')}</h1>
      <div className={styles.bar}>
        <Way place={place} isDir={isDir} />
        <ItemActions items={items} place={place} isWhole={selection.length === 0} />
      </div>
      {isFolder(data) ? (
        <SnapshotFolder key={place.path} place={place} folder={data} onSelect={setSelection} />
      ) : (
        showFile(data as FileResource, snapshotRaw(place, true))
      )}
    </>
  )
}

const isFolder = (resource: Resource): resource is FolderResource => resource.isDir && 'items' in resource

function Way({ place: { at, path }, isDir }: { place: SnapshotPlace; isDir: boolean }) {
  const names = segmentsOf(path)
  const crumbs = names.map((label, depth) => {
    const isLast = depth === names.length - 1
    const folder = names.slice(0, depth + 1).reduce((parent: FilePath, child) => trustedChild(parent, child), ROOT)
    return { label, to: snapshotUrl({ at, path: folder }, isDir || !isLast) }
  })
  return (
    <Breadcrumb
      label={t('files.location')}
      hiddenLabel={t('files.hidden')}
      root={{ label: t('files.home'), to: snapshotUrl({ at, path: ROOT }, true) }}
      crumbs={crumbs}
    />
  )
}

interface ItemActionsProps {
  items: readonly Pick<ResourceItem, 'path' | 'name' | 'isDir'>[]
  place: SnapshotPlace
  /** Whether nothing is selected: the actions are about the open entry. */
  isWhole: boolean
}

function ItemActions({ items, place, isWhole }: ItemActionsProps) {
  const { user } = useSession()
  const disabled = !useOnline()
  const [first] = items
  const restore = (copies: boolean) => openPrompt('restoreSnapshot', { items, at: place.at, copies })
  return (
    <div className={styles.actions}>
      {user?.perm.download && first && items.length === 1 && (
        <a
          className={`${buttons.button} ${buttons.plain}`}
          href={apiUrl(snapshotRaw({ ...place, path: first.path as FilePath }))}
          download={first.isDir ? undefined : first.name}
        >
          <Download size={18} aria-hidden />
          {t('common.download')}
        </a>
      )}
      {user?.perm.create && user.perm.download && (
        <>
          <Button icon={<Files size={18} aria-hidden />} disabled={disabled} onClick={() => restore(true)}>
            {t('actions.copyTo')}
          </Button>
          {!(isWhole && place.path === ROOT) && (
            <Button
              kind="primary"
              icon={<RotateCcw size={18} aria-hidden />}
              disabled={disabled}
              onClick={() => restore(false)}
            >
              {t('snapshots.restore')}
            </Button>
          )}
        </>
      )}
    </div>
  )
}
