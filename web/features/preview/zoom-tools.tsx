import { formatPercent } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Minus, Plus } from '../../ui/icons.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import styles from './zoom-tools.module.css'

interface ZoomToolsProps {
  className?: string | undefined
  /** `1` for natural size. */
  scale: number
  zoomIn: () => void
  zoomOut: () => void
  fit: () => void
}

/** Zoom buttons, and the scale, a button that fits the image into the window. */
export function ZoomTools({ className, scale, zoomIn, zoomOut, fit }: ZoomToolsProps) {
  return (
    <Toolbar className={className} label={t('preview.zoom')}>
      <IconButton label={t('actions.zoomOut')} keys="-" onClick={zoomOut}>
        <Minus size={18} aria-hidden />
      </IconButton>
      <Button kind="quiet" className={styles.scale} data-tip={t('actions.fit')} onClick={fit}>
        {formatPercent(scale)} <span className="visually-hidden">{t('actions.fit')}</span>
      </Button>
      <IconButton label={t('actions.zoomIn')} keys="+" onClick={zoomIn}>
        <Plus size={18} aria-hidden />
      </IconButton>
    </Toolbar>
  )
}
