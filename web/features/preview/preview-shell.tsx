import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { runAction } from '../../lib/actions.ts'
import { announce } from '../../lib/announce.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts, usesArrows } from '../../lib/keyboard.ts'
import { useSession } from '../../lib/session.ts'
import { useViewerCommands, useViewerKeys } from '../../lib/viewer-commands.ts'
import { IconButton } from '../../ui/button.tsx'
import { ChevronRight } from '../../ui/icons.ts'
import { Overlay } from '../../ui/overlay.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { type PreviewCommands, previewActions } from './actions.ts'
import { Bar } from './bar.tsx'
import { Card } from './card.tsx'
import styles from './preview-shell.module.css'
import { type Gallery, goTo, useGallery } from './use-gallery.ts'
import { useSwipe } from './use-swipe.ts'

/** Milliseconds between two steps while a key is held; browsers limit the rate of address changes. */
const HELD_STEP = 300

interface PreviewShellProps {
  resource: FileResource
  /** In the colours of the page. */
  paper: boolean
  onClose: () => void
  /** The viewer of this file. */
  children: ReactNode
}

/** The shell of every preview: name, position, actions, and navigation. */
export default function PreviewShell({ resource, paper, onClose, children }: PreviewShellProps) {
  const turn = useGallery(resource, onClose)
  const { previous, next } = turn
  const showNext = () => void (next && goTo(next))
  const goBack = () => void (previous && goTo(previous))
  const swipe = useSwipe({ onStart: () => showNext(), onEnd: () => goBack(), onDown: onClose })
  const { user } = useSession()
  const fullscreen = useFullScreen()
  const commands: PreviewCommands = {
    close: onClose,
    ...(next && { next: showNext }),
    ...(previous && { previous: goBack }),
    ...(fullscreen && { fullscreen }),
  }
  useViewerCommands(commands, resource)
  useKeys()
  useAnnouncement(resource.name, turn)
  return (
    <Overlay dark={!paper}>
      <Bar resource={resource} turn={turn} onClose={onClose} />
      <div className={styles.stage} {...swipe}>
        <Suspense fallback={<Spinner label={t('common.loading')} />}>
          {user?.perm.download ? children : <Card resource={resource} text={t('preview.forbidden')} />}
        </Suspense>
        <Arrows turn={turn} onBack={goBack} onOn={showNext} />
      </div>
    </Overlay>
  )
}

interface ArrowsProps {
  turn: Gallery
  onBack: () => void
  onOn: () => void
}

/** Navigation buttons; hidden while idle. */
function Arrows({ turn: { previous, next }, onBack, onOn }: ArrowsProps) {
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

/** The keys of the actions, and Enter for the next file. The focused element takes precedence: buttons, players. */
function useKeys(): void {
  const steppedAt = useRef(0)
  const mayStep = ({ target, repeat, timeStamp }: KeyboardEvent): boolean => {
    if (usesArrows(target)) return false
    if (repeat && timeStamp - steppedAt.current < HELD_STEP) return false
    steppedAt.current = timeStamp
    return true
  }
  useViewerKeys(previewActions, {}, ({ shortcut }, event) => !shortcut?.startsWith('Arrow') || mayStep(event))
  const onButton = ({ target }: KeyboardEvent) => target instanceof Element && target.closest('a, button') !== null
  const [next] = previewActions
  useShortcuts('listing', [
    { keys: 'Enter', run: event => next && !onButton(event) && mayStep(event) && runAction(next) },
  ])
}

/** Full screen for the page, where it is supported; ends with the preview. */
function useFullScreen(): (() => void) | undefined {
  useEffect(() => () => leaveFullScreen(), [])
  return document.fullscreenEnabled ? toggleFullScreen : undefined
}

function toggleFullScreen(): void {
  if (document.fullscreenElement) leaveFullScreen()
  // Browsers may refuse; nothing is lost then.
  else void document.documentElement.requestFullscreen().catch(() => undefined)
}

function leaveFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
}

/** Announces the current file after every step. */
function useAnnouncement(name: string, { index, count }: Gallery): void {
  useEffect(() => {
    if (index < 0) return
    announce(t('preview.announce', { name: shownName(name), index: index + 1, count }))
  }, [name, index, count])
}

/** Milliseconds without input after which the navigation buttons hide. */
const HIDE_AFTER = 1500
/** Milliseconds for which further input is ignored. */
const LOOK_EVERY = 500

/** Whether there has been no input for a while. */
function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  const lookedAt = useRef(0)
  useEffect(() => {
    let timer = setTimeout(() => setIdle(true), HIDE_AFTER)
    const wake = () => {
      if (Date.now() - lookedAt.current < LOOK_EVERY) return
      lookedAt.current = Date.now()
      setIdle(false)
      clearTimeout(timer)
      timer = setTimeout(() => setIdle(true), HIDE_AFTER)
    }
    const kinds = ['pointermove', 'pointerdown', 'keydown'] as const
    for (const kind of kinds) addEventListener(kind, wake)
    return () => {
      clearTimeout(timer)
      for (const kind of kinds) removeEventListener(kind, wake)
    }
  }, [])
  return idle
}
