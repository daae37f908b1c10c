import type { SnapshotItem } from '../../../shared/api/snapshots.ts'
import { nameOf, parsePath } from '../../../shared/path.ts'
import { useActionContext } from '../../lib/actions.ts'
import { apiUrl } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatBytes, formatDate, formatFacts } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { queryClient } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Camera, EllipsisVertical } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { saveFrom } from '../files/api/download.ts'
import { reloadFolders } from '../files/api/list.ts'
import { restoreSnapshot, snapshotRaw } from '../files/api/snapshots.ts'
import { useSnapshots } from '../files/items/use-snapshots.ts'
import styles from './versions.module.css'

interface SnapshotListProps {
  path: string
  canChange: boolean
  onCompare: (snapshot: SnapshotItem) => void
  /** The file has changed. */
  onRestored: () => void
}

/** Former contents of a file in snapshots of the file system. */
export function SnapshotList({ path, canChange, onCompare, onRestored }: SnapshotListProps) {
  const { items, more, loadMore } = useSnapshots(path)
  if (items.length === 0 && !more) return null
  return (
    <section aria-label={t('snapshots.ofFile')}>
      <h3 className={styles.day}>{t('snapshots.ofFile')}</h3>
      <ul className={styles.list}>
        {items.map(item => (
          <Row key={item.id} {...{ item, path, canChange, onCompare, onRestored }} />
        ))}
      </ul>
      {more && (
        <Button className={styles.more} onClick={() => void loadMore()}>
          {t('snapshots.further')}
        </Button>
      )}
    </section>
  )
}

function Row({ item, path, canChange, onCompare, onRestored }: SnapshotListProps & { item: SnapshotItem }) {
  const { offline = false } = useActionContext()
  const { user } = useSession()
  const place = { at: item.id, path: parsePath(path) }
  const when = formatDate(item.modified ?? item.time)
  const restore = async (conflict: 'replace' | 'keepBoth') => {
    try {
      const [result] = await restoreSnapshot(path, { at: item.id, conflict })
      if (result?.state !== 'restored') throw new Error(result?.code ?? '')
      for (const key of ['file', 'text']) void queryClient.invalidateQueries({ queryKey: [key, path] })
      void reloadFolders()
      const name = nameOf(parsePath(result.path))
      notify('success', conflict === 'replace' ? t('versions.restored', { when }) : t('versions.copied', { name }))
    } catch (thrown) {
      notify('error', errorText(thrown))
    }
    onRestored()
  }
  const entry = (id: string, label: string, run: () => unknown) => ({
    id,
    label,
    disabled: offline,
    run: () => void run(),
  })
  return (
    <li className={styles.row}>
      <span className={styles.facts}>
        <span className={styles.stamp}>
          <Camera size={14} aria-label={t('snapshots.choose')} className={styles.pin} />
          <bdi>{when}</bdi>
        </span>
        <span className={styles.hint}>{formatFacts([item.name, formatBytes(item.size ?? 0)])}</span>
      </span>
      {canChange && (
        <Button
          disabled={offline}
          aria-label={t('versions.restoreOf', { when })}
          onClick={() => void restore('replace')}
        >
          {t('versions.restore')}
        </Button>
      )}
      <MenuButton
        label={t('versions.actions', { when })}
        entries={[
          entry('open', t('common.open'), () => window.open(apiUrl(snapshotRaw(place, true)), '_blank', 'noopener')),
          entry('compare', t('versions.compare'), () => onCompare(item)),
          ...(user?.perm.create ? [entry('copy', t('versions.copy'), () => restore('keepBoth'))] : []),
          entry('download', t('common.download'), () => saveFrom(apiUrl(snapshotRaw(place)), nameOf(place.path))),
        ]}
      >
        <EllipsisVertical size={18} aria-hidden />
      </MenuButton>
    </li>
  )
}
