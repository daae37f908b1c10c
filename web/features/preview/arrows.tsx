import { formatNumber } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { ChevronRight } from '../../ui/icons.ts'
import styles from './arrows.module.css'
import type { Gallery } from './use-gallery.ts'
import { useIdle } from './use-idle.ts'

/** What a document lies on: its own pages, on the dark ground of a preview, or a sheet in the colours of the page. */
export type Paper = 'pages' | 'sheet'

interface ArrowsProps {
  turn: Gallery
  onBack: () => void
  onOn: () => void
}

/** Navigation buttons over an image or video; hidden while idle. */
export function Arrows({ turn: { previous, next }, onBack, onOn }: ArrowsProps) {
  const idle = useIdle()
  return (
    <div className={styles.arrows} data-idle={idle || undefined}>
      {previous && (
        <IconButton
          className={`${styles.arrow} ${styles.previous}`}
          label={t('actions.previewPrevious')}
          onClick={onBack}
        >
          <ChevronRight size={24} aria-hidden />
        </IconButton>
      )}
      {next && (
        <IconButton className={`${styles.arrow} ${styles.next}`} label={t('actions.previewNext')} onClick={onOn}>
          <ChevronRight size={24} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

/** Navigation buttons around the position, next to a document instead of over it. */
export function Steps({ turn, onBack, onOn }: ArrowsProps) {
  if (turn.index < 0 && !turn.isGone) return null
  return (
    <div className={styles.steps}>
      <IconButton
        className={styles.back}
        label={t('actions.previewPrevious')}
        aria-disabled={!turn.previous || undefined}
        onClick={onBack}
      >
        <ChevronRight size={20} aria-hidden />
      </IconButton>
      <Position turn={turn} />
      <IconButton label={t('actions.previewNext')} aria-disabled={!turn.next || undefined} onClick={onOn}>
        <ChevronRight size={20} aria-hidden />
      </IconButton>
    </div>
  )
}

/** The position of the file among its neighbours. */
export function Position({ turn: { index, count } }: { turn: Gallery }) {
  if (index < 0) return null
  return (
    <span className={styles.position}>
      {t('preview.position', { index: formatNumber(index + 1), count: formatNumber(count) })}
    </span>
  )
}
