import { useLayoutEffect, useRef } from 'react'
import { shownName } from '../../../../shared/bytes.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useStore } from '../../../lib/store.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { playTrack } from '../music/music.ts'
import { musicStore } from '../music/store.ts'
import styles from './queue.module.css'

/** The tracks of the player, in the order in which they are played; each can be played at once. */
export default function QueuePrompt() {
  const list = useRef<HTMLOListElement>(null)
  const music = useStore(musicStore)
  const path = music?.track.path
  // After each step.
  useLayoutEffect(() => {
    list.current?.querySelector(`[aria-current]`)?.scrollIntoView({ block: 'nearest' })
  }, [path])
  return (
    <Dialog title={t('music.queue')} onClose={closePrompt}>
      <ol ref={list} className={styles.list}>
        {music?.queue.map(track => (
          <li key={track.path}>
            <Button
              kind="quiet"
              className={styles.track}
              aria-current={track.path === path || undefined}
              onClick={() => playTrack(track)}
            >
              <bdi>{shownName(track.name)}</bdi>
            </Button>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
