import { useState } from 'react'
import type { Mount, RootAnswer } from '../../../../shared/api/mounts.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyList } from '../../../ui/empty-list.tsx'
import { Plus } from '../../../ui/icons.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import tables from '../../../ui/table.module.css'
import { mountsQuery, rootsQuery } from '../api/mounts.ts'
import groups from '../groups/groups.module.css'
import { MountCard } from './mount-card.tsx'
import styles from './mounts.module.css'
import { NewMountForm } from './new-mount-form.tsx'
import { RootsCard } from './roots-card.tsx'

/** The folders of other disks and buckets, and who has them. */
export default function MountsPage() {
  const roots = useQuery(rootsQuery)
  const mounts = useQuery(mountsQuery)
  if (roots.data && mounts.data) return <Mounts roots={roots.data} mounts={mounts.data} />
  const retry = () => void Promise.all([roots.refetch(), mounts.refetch()])
  const error = roots.error ?? mounts.error
  if (error) return <LoadFailure error={error} onRetry={retry} />
  return <Spinner label={t('common.loading')} onRetry={retry} />
}

function Mounts({ roots, mounts }: { roots: readonly RootAnswer[]; mounts: readonly Mount[] }) {
  const [isAdding, setAdding] = useState(false)
  if (roots.length === 0 && mounts.length === 0)
    return <EmptyList title={t('mounts.empty')} text={t('mounts.noRoots')} />
  return (
    <div className={styles.page}>
      <div className={tables.tools}>
        <p className={groups.text}>{t('mounts.text')}</p>
        {!isAdding && roots.length > 0 && (
          <Button kind="primary" icon={<Plus size={18} aria-hidden />} onClick={() => setAdding(true)}>
            {t('mounts.new')}
          </Button>
        )}
      </div>
      {isAdding && (
        <Card title={t('mounts.new')}>
          <NewMountForm roots={roots} mounts={mounts} onDone={() => setAdding(false)} />
        </Card>
      )}
      {mounts.map(mount => (
        <MountCard key={mount.id} mount={mount} root={roots.find(({ name }) => name === mount.root)} />
      ))}
      {mounts.length === 0 && !isAdding && <p className={tables.none}>{t('mounts.empty')}</p>}
      {roots.length > 0 && <RootsCard roots={roots} />}
    </div>
  )
}
