import { type ReactNode, useRef, useState } from 'react'
import type { Mount } from '../../../../shared/api/mounts.ts'
import type { QuotaAnswer } from '../../../../shared/api/quotas.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Button } from '../../../ui/button.tsx'
import type { OwnLimits } from '../api/quotas.ts'
import groups from '../groups/groups.module.css'
import { QuotaFields } from '../quota-fields.tsx'
import { QuotaFill } from '../quota-fill.tsx'
import styles from './mounts.module.css'

interface PlaceQuotaProps {
  /** For screen readers: the folder, disk or bucket. */
  name: string
  quota: Mount['quota']
  /** What it holds, once known; only of one with a quota. */
  fill: QuotaAnswer | undefined
  /** Buttons next to that of the quota. */
  children?: ReactNode
  /** @throws ApiError */
  save: (limits: OwnLimits) => Promise<void>
}

/** The quota of a team folder, a disk or a bucket, and what it holds. */
export function PlaceQuota({ name, quota, fill, save, children }: PlaceQuotaProps) {
  const [isOpen, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  return (
    <>
      {fill && <QuotaFill quota={fill} />}
      <div className={styles.buttons}>
        <Button ref={toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('quota.title')}
          <span className="visually-hidden"> {name}</span>
        </Button>
        {children}
      </div>
      {isOpen && (
        <fieldset className={styles.quota} aria-label={`${t('quota.title')} ${name}`}>
          <p className={groups.facts}>{t('quota.placeText')}</p>
          <QuotaFields
            key={`${quota.bytes}/${quota.items}`}
            own={quota}
            none={t('quota.none')}
            save={async limits => {
              await save(limits)
              toggle.current?.focus()
            }}
          />
        </fieldset>
      )}
    </>
  )
}
