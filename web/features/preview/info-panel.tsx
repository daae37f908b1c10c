import type { FileResource } from '../../../shared/api/resources.ts'
import { t, useLocale } from '../../lib/i18n/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { X } from '../../ui/icons.ts'
import { PanelBody } from '../files/details/panel-body.tsx'
import { StarButton } from '../files/details/star-button.tsx'
import styles from './info-panel.module.css'

interface InfoPanelProps {
  item: FileResource
  onClose: () => void
}

/** The details of the open file, next to it. */
export default function InfoPanel({ item, onClose }: InfoPanelProps) {
  useLocale()
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.title}>{t('details.title')}</h2>
        <StarButton item={item} />
        <IconButton label={t('details.close')} keys="I" onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.body}>
        <PanelBody subject={{ about: 'item', item }} pictured={false} />
      </div>
    </>
  )
}
