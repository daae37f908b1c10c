import { useEffect, useRef, useState } from 'react'
import type { RootAnswer } from '../../../../shared/api/mounts.ts'
import type { QuotaAnswer } from '../../../../shared/api/quotas.ts'
import { errorText } from '../../../lib/error-text.ts'
import { formatBytes } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { acceptRoot, setRootQuota } from '../api/mounts.ts'
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
            {root.exchanged && <Exchanged name={root.name} />}
            <RootTools root={root} fill={data?.roots.find(({ name }) => name === root.name)} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Offers to use another disk that is in its place. */
function Exchanged({ name }: { name: string }) {
  const [busy, setBusy] = useState(false)
  const accept = () => {
    setBusy(true)
    acceptRoot(name)
      .catch((failed: unknown) => notify('error', errorText(failed)))
      .finally(() => setBusy(false))
  }
  return (
    <div className={styles.exchanged}>
      <p>{t('mounts.exchanged')}</p>
      <Button busy={busy} onClick={accept}>
        {t('mounts.accept')}
        <span className="visually-hidden"> {name}</span>
      </Button>
    </div>
  )
}

/** Its quota, and what the interface calls it. */
function RootTools({ root, fill }: { root: RootAnswer; fill: QuotaAnswer | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) toggle.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <>
      <PlaceQuota name={root.name} quota={root.quota} fill={fill} save={limits => setRootQuota(root.name, limits)}>
        {!isOpen && (
          <Button ref={toggle} onClick={() => setOpen(true)}>
            {t('actions.rename')}
            <span className="visually-hidden"> {root.name}</span>
          </Button>
        )}
      </PlaceQuota>
      {isOpen && <RootLabel root={root} onDone={() => setOpen(false)} />}
    </>
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
