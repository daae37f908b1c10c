import { type ReactNode, type RefObject, useEffect } from 'react'
import { formatTimes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { Gauge, PictureInPicture } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import styles from './media.module.css'
import { SPEEDS, setSpeed, useSpeed } from './speed.ts'

interface MediaToolsProps {
  player: RefObject<HTMLVideoElement | null>
  /** Whether there is a video track for picture-in-picture. */
  video: boolean
  children?: ReactNode
}

/** What native players hide, or lack: speed, picture-in-picture, and more. */
export function MediaTools({ player, video, children }: MediaToolsProps) {
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
      {children}
      {video && document.pictureInPictureEnabled && (
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
    // A video not yet loaded, or a browser that refuses; playback continues in place.
  }
}
