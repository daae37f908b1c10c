import { useEffect, useRef } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { Button } from '../../../ui/button.tsx'
import { Check, Plus } from '../../../ui/icons.ts'
import { FileName } from '../../files/listing/cells.tsx'
import type { Sent } from './deliveries.ts'
import styles from './request.module.css'

/** Names shown. */
const SHOWN = 50

/** The end of a delivery: what has arrived. */
export function Thanks({ sent, onMore }: { sent: readonly Sent[]; onMore: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className={styles.thanks}>
      <span className={styles.done} aria-hidden="true">
        <Check size={32} />
      </span>
      <h2 ref={heading} tabIndex={-1} className={styles.thanked}>
        {t('links.thanks')}
      </h2>
      <p>{t('links.sent', { count: sent.length })}</p>
      <ul className={styles.files}>
        {sent.slice(0, SHOWN).map(({ id, name }) => (
          <li key={id} className={styles.file}>
            <FileName name={name} />
          </li>
        ))}
      </ul>
      <Button icon={<Plus size={18} aria-hidden />} onClick={onMore}>
        {t('links.sendMore')}
      </Button>
    </section>
  )
}
