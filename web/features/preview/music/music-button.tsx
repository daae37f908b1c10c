import { t } from '../../../lib/i18n/index.ts'
import { useStore } from '../../../lib/store.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Pause, Play } from '../../../ui/icons.ts'
import { togglePlayback } from './music.ts'
import { type Music, musicStore } from './store.ts'
import { isPaused, usePlayer } from './use-player.ts'

/** Pauses the music while another file covers its card. @param path of that file */
export function MusicButton({ path }: { path: string }) {
  const music = useStore(musicStore)
  return music && music.track.path !== path ? <Toggle music={music} /> : null
}

function Toggle({ music: { player } }: { music: Music }) {
  const paused = usePlayer(player, isPaused)
  return (
    <IconButton label={t(paused ? 'music.resumeMusic' : 'music.pauseMusic')} onClick={togglePlayback}>
      {paused ? <Play size={18} aria-hidden /> : <Pause size={18} aria-hidden />}
    </IconButton>
  )
}
