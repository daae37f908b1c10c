import { type RefObject, useEffect, useState } from 'react'
import { localeTag, t } from '../../lib/i18n/index.ts'
import { Captions } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { initialTrack } from './subtitle-language.ts'

interface SubtitlesButtonProps {
  player: RefObject<HTMLMediaElement | null>
  /** Their names, in the order of the tracks of the player. */
  labels: readonly string[]
  /** The same of their files. */
  names: readonly string[]
}

/** Whether the user turned them off since the page was loaded: then they stay off for the next video, too. */
let isOff = false

/** Chooses the subtitles of a video. They are on where they are in the language of the user. */
export function SubtitlesButton({ player, labels, names }: SubtitlesButtonProps) {
  const [shown, setShown] = useState(() => (isOff ? -1 : initialTrack(names, localeTag())))
  useEffect(() => {
    const list = player.current?.textTracks
    if (!list) return
    for (const [index, track] of [...list].entries()) track.mode = index === shown ? 'showing' : 'disabled'
    // The player's own menu chooses, too.
    const follow = () => setShown([...list].findIndex(({ mode }) => mode === 'showing'))
    list.addEventListener('change', follow)
    return () => list.removeEventListener('change', follow)
  }, [player, shown])
  const choose = (index: number) => {
    isOff = index < 0
    setShown(index)
  }
  const entries = [t('preview.subtitlesOff'), ...labels].map((label, at) => ({
    id: String(at),
    label,
    checked: at - 1 === shown,
    run: () => choose(at - 1),
  }))
  const text = entries[shown + 1]?.label ?? ''
  return (
    <MenuButton
      label={t('palette.choice', { group: t('preview.subtitles'), label: text })}
      text={text}
      entries={entries}
    >
      <Captions size={18} aria-hidden />
    </MenuButton>
  )
}
