import { formatPercent } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Minus, Plus } from '../../ui/icons.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import styles from './zoom-tools.module.css'

interface ZoomToolsProps {
  className?: string | undefined
  /** Of the image's own pixels; `1` shows one in a CSS pixel. */
  scale: number
  /** Whether it is fitted into the window, where that is known. */
  isFitted?: boolean
  /** Shows it at scale 1. */
  actualSize?: () => void
  zoomIn: () => void
  zoomOut: () => void
  fit: () => void
}

/** Zoom buttons around the scale, and one that fits the image into the window. */
export function ZoomTools({ className, scale, isFitted, actualSize, zoomIn, zoomOut, fit }: ZoomToolsProps) {
  return (
    <Toolbar className={className} label={t('preview.zoom')}>
      <IconButton label={t('actions.zoomOut')} keys="-" onClick={zoomOut}>
        <Minus size={18} aria-hidden />
      </IconButton>
      {actualSize ? (
        <Button kind="quiet" className={styles.scale} data-tip={`${t('actions.actualSize')} (1)`} onClick={actualSize}>
          {formatPercent(scale)} <span className="visually-hidden">{t('actions.actualSize')}</span>
        </Button>
      ) : (
        <span className={styles.scale}>{formatPercent(scale)}</span>
      )}
      <IconButton label={t('actions.zoomIn')} keys="+" onClick={zoomIn}>
        <Plus size={18} aria-hidden />
      </IconButton>
      <Button
        kind="quiet"
        className={styles.fit}
        data-tip={`${t('actions.fit')} (0)`}
        aria-pressed={isFitted}
        onClick={fit}
      >
        {t('preview.fit')}
      </Button>
    </Toolbar>
  )
}
