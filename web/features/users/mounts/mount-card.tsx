import { useRef, useState } from 'react'
import type { Mount, RootAnswer } from '../../../../shared/api/mounts.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { t } from '../../../lib/i18n/index.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { setMountQuota } from '../api/mounts.ts'
import { quotasQuery } from '../api/quotas.ts'
import { AccessList } from './access-list.tsx'
import { ChangeMountForm } from './change-mount-form.tsx'
import styles from './mounts.module.css'
import { PlaceQuota } from './place-quota.tsx'

interface MountCardProps {
  mount: Mount
  /** Missing if the configuration no longer names it. */
  root: RootAnswer | undefined
}

/** A folder of another root, and who has it. */
export function MountCard({ mount, root }: MountCardProps) {
  const { name, folder, readOnly } = mount
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery(quotasQuery)
  const change = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => change.current?.focus())
  }
  return (
    <Card title={shownName(name)}>
      <p className={styles.place}>
        <bdi>{shownName(`${mount.root}:${folder}`)}</bdi>
        {(readOnly || root?.readOnly) && <span>{t('mounts.readOnly')}</span>}
        {!root?.available && <span className={styles.away}>{t('mounts.away')}</span>}
      </p>
      <AccessList mount={mount} />
      <PlaceQuota
        name={name}
        quota={mount.quota}
        fill={data?.mounts.find(({ id }) => id === mount.id)}
        save={limits => setMountQuota(mount, limits)}
      >
        {!isOpen && (
          <>
            <Button ref={change} onClick={() => setOpen(true)}>
              {t('actions.rename')}
              <span className="visually-hidden"> {name}</span>
            </Button>
            <Button kind="danger" onClick={() => openPrompt('removeMount', { mount })}>
              {t('mounts.remove')}
              <span className="visually-hidden"> {name}</span>
            </Button>
          </>
        )}
      </PlaceQuota>
      {isOpen && <ChangeMountForm mount={mount} onDone={close} />}
    </Card>
  )
}
