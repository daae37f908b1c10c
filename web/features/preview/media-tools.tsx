import { type RefObject, useEffect } from 'react'
import { formatTimes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { Gauge, PictureInPicture } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import styles from './media.module.css'
import { SPEEDS, setSpeed, useSpeed } from './speed.ts'

interface MediaToolsProps {
  player: RefObject<HTMLVideoElement | null>
  /** Whether there are pictures to be put into a window of their own. */
  film: boolean
}

/** What players of browsers hide, or do not have: speed, and a small window over all others. */
export function MediaTools({ player, film }: MediaToolsProps) {
  const speed = useSpeed()
  useEffect(() => {
    if (player.current) player.current.playbackRate = speed
  }, [player, speed])
  const entries = SPEEDS.map(each => ({
    id: String(each),
    label: formatTimes(each),
    checked: each === speed,
    run: () => setSpeed(each),
  }))
  const text = formatTimes(speed)
  return (
    <div className={styles.tools}>
      <MenuButton label={t('palette.choice', { group: t('preview.speed'), label: text })} text={text} entries={entries}>
        <Gauge size={18} aria-hidden />
      </MenuButton>
      {film && document.pictureInPictureEnabled && (
        <IconButton label={t('preview.window')} onClick={() => void toggleWindow(player.current)}>
          <PictureInPicture size={18} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

async function toggleWindow(player: HTMLVideoElement | null): Promise<void> {
  try {
    if (document.pictureInPictureElement) await document.exitPictureInPicture()
    else await player?.requestPictureInPicture()
  } catch {
    // A film that has not begun to load, or a browser that refuses; it goes on where it is.
  }
}
