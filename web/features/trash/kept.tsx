import { useState } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { type FilePath, parentOf, ROOT, segmentsOf, trustedChild } from '../../../shared/path.ts'
import { apiUrl } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useQuery } from '../../lib/query.ts'
import { navigate } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { useOpenName } from '../../lib/title.ts'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import buttons from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { Download, FolderInput, RotateCcw } from '../../ui/icons.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import frame from '../../ui/page-frame.module.css'
import { Spinner } from '../../ui/spinner.tsx'
import { isFolder, type KeptPlace, keptQuery, keptRaw, keptUrl } from './api/trash.ts'
import { type FindViewer, KeptFile } from './kept-file.tsx'
import { KeptFolder } from './kept-folder.tsx'
import { type Restorable, restoreItems } from './restore.ts'
import styles from './trash.module.css'

interface KeptPageProps {
  place: KeptPlace
  findViewer: FindViewer
}

/** An item of the trash, or one inside it: a folder to look into, or a file in its viewer. */
export function KeptPage({ place, findViewer }: KeptPageProps) {
  const { id, path } = place
  const [strip, setStrip] = useState<HTMLElement | null>(null)
  const { data, error, refetch } = useQuery(keptQuery(place))
  const top = useQuery({ ...keptQuery({ id, path: ROOT }), enabled: path !== ROOT })
  const name = (path === ROOT ? data?.name : top.data?.name) ?? ''
  useOpenName(data?.name)
  if (error && !data) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (!data) return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
  const item: Restorable = { ...data, id, ...(path !== ROOT && { inner: path }) }
  return (
    <div className={frame.page}>
      <h1 className="visually-hidden">{shownName(data.name)}</h1>
      <div ref={setStrip} className={styles.strip}>
        <div className={styles.bar}>
          <Way place={place} name={name} isDir={data.isDir} />
          <ItemActions item={item} place={place} />
        </div>
      </div>
      {isFolder(data) ? (
        <KeptFolder key={path} place={place} folder={data} strip={strip} />
      ) : (
        <KeptFile key={path} file={data as FileResource} source={keptRaw(place, true)} findViewer={findViewer} />
      )}
    </div>
  )
}

function Way({ place: { id, path }, name, isDir }: { place: KeptPlace; name: string; isDir: boolean }) {
  const names = segmentsOf(path)
  const inside = names.map((label, depth) => {
    const isLast = depth === names.length - 1
    const at = names.slice(0, depth + 1).reduce((parent: FilePath, child) => trustedChild(parent, child), ROOT)
    return { label, to: keptUrl({ id, path: at }, isDir || !isLast) }
  })
  const first = { label: name, to: keptUrl({ id, path: ROOT }, isDir || names.length > 0) }
  return (
    <Breadcrumb
      label={t('files.location')}
      hiddenLabel={t('files.hidden')}
      root={{ label: t('nav.trash'), to: '/trash/' }}
      crumbs={[first, ...inside]}
    />
  )
}

function ItemActions({ item, place }: { item: Restorable; place: KeptPlace }) {
  const { user } = useSession()
  const disabled = !useOnline()
  const leave = () =>
    navigate(place.path === ROOT ? '/trash/' : keptUrl({ ...place, path: parentOf(place.path) }, true))
  const restore = async () => {
    if (await restoreItems([item])) await leave()
  }
  return (
    <div className={styles.itemActions}>
      {user?.perm.download && (
        <a
          className={`${buttons.button} ${buttons.plain}`}
          href={apiUrl(keptRaw(place))}
          download={nameOfDownload(item)}
        >
          <Download size={18} aria-hidden />
          {t('common.download')}
        </a>
      )}
      {user?.perm.create && (
        <>
          <Button
            icon={<FolderInput size={18} aria-hidden />}
            disabled={disabled}
            onClick={() => openPrompt('restoreTo', { items: [item] })}
          >
            {t('trash.restoreTo')}
          </Button>
          <Button
            kind="primary"
            icon={<RotateCcw size={18} aria-hidden />}
            disabled={disabled}
            onClick={() => void restore()}
          >
            {t('trash.bringBack')}
          </Button>
        </>
      )}
    </div>
  )
}

const nameOfDownload = ({ name, isDir }: Restorable) => (isDir ? undefined : name)
