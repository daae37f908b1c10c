import type { RootAnswer } from '../../../../shared/api/mounts.ts'
import { formatBytes } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { Card } from '../../../ui/card.tsx'
import { setRootQuota } from '../api/mounts.ts'
import { quotasQuery } from '../api/quotas.ts'
import groups from '../groups/groups.module.css'
import styles from './mounts.module.css'
import { PlaceQuota } from './place-quota.tsx'
import { RootLabel } from './root-label.tsx'

/** The further disks and buckets of the host: how full they are, and how full they may become. */
export function RootsCard({ roots }: { roots: readonly RootAnswer[] }) {
  const { data } = useQuery(quotasQuery)
  return (
    <Card title={t('mounts.roots')}>
      <ul className={groups.list}>
        {roots.map(root => (
          <li key={root.name} className={styles.root}>
            <RootAbout root={root} />
            <PlaceQuota
              name={root.name}
              quota={root.quota}
              fill={data?.roots.find(({ name }) => name === root.name)}
              save={limits => setRootQuota(root.name, limits)}
            />
            <RootLabel root={root} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function RootAbout({ root: { name, label, readOnly, available, room } }: { root: RootAnswer }) {
  return (
    <p className={styles.place}>
      <bdi className={groups.name}>{label || name}</bdi>
      {label !== '' && <bdi>{name}</bdi>}
      {room && <span>{t('mounts.volume', { used: formatBytes(room.used), total: formatBytes(room.total) })}</span>}
      {readOnly && <span>{t('mounts.readOnly')}</span>}
      {!available && <span className={styles.away}>{t('mounts.away')}</span>}
    </p>
  )
}
