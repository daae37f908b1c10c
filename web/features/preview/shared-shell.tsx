import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import type { FileResource, ResourceItem } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { announce } from '../../lib/announce.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts, usesArrows } from '../../lib/keyboard.ts'
import { lazyTool } from '../../lib/lazy.ts'
import { useWindowClass } from '../../lib/media.ts'
import buttons from '../../ui/button.module.css'
import { Button, IconButton } from '../../ui/button.tsx'
import { Download, ExternalLink, MonitorPlay, SquarePen, X } from '../../ui/icons.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { Overlay } from '../../ui/overlay.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Arrows, type Paper, Position, Steps } from './arrows.tsx'
import bar from './bar.module.css'
import shell from './preview-shell.module.css'
import styles from './shared-shell.module.css'
import { type SlideshowChoice, stopSlideshow, useSlideshow } from './slideshow/store.ts'
import { useFilmstrip } from './use-filmstrip.ts'
import type { Gallery } from './use-gallery.ts'
import { useSwipe } from './use-swipe.ts'

const Filmstrip = lazyTool(() => import('./filmstrip.tsx'))
const Slideshow = lazyTool(() => import('./slideshow/slideshow.tsx'))

interface SharedShellProps {
  resource: FileResource
  turn: Gallery
  /** What a document lies on. */
  paper: Paper | undefined
  /** URL that saves the file; none for a link of previews. */
  save: string | undefined
  /** URL that shows it in a tab; none if browsers cannot. */
  open: string | undefined
  /** URL of an image of the folder; none where images are not shown. */
  pictureUrl: ((item: ResourceItem) => string) | undefined
  goTo: (item: ResourceItem) => void
  onClose: () => void
  /** Opens a text that the visitor may change. */
  onEdit: (() => void) | undefined
  /** The viewer of this file. */
  children: ReactNode
}

/** The shell of a preview in a shared folder: that of users, with the actions of a visitor. */
export default function SharedShell(props: SharedShellProps) {
  const { resource, turn, paper, pictureUrl, goTo, onClose, children } = props
  const onBack = () => turn.previous && goTo(turn.previous)
  const onOn = () => turn.next && goTo(turn.next)
  const content = useRef<HTMLDivElement>(null)
  const swipe = useSwipe(content, resource.path, {
    onStart: turn.next && onOn,
    onEnd: turn.previous && onBack,
    onDown: onClose,
  })
  const slideshow = useSlideshow(pictureUrl ? resource.type : '', turn.items)
  const isPlain = !slideshow?.isOn
  const mayGo = ({ target }: KeyboardEvent) => !usesArrows(target)
  useShortcuts('listing', [
    { keys: 'Escape', run: onClose },
    { keys: 'S', run: () => slideshow?.toggle() },
    { keys: 'ArrowRight', run: event => mayGo(event) && onOn() },
    { keys: 'ArrowLeft', run: event => mayGo(event) && onBack() },
    { keys: 'Alt+PageDown', run: onOn },
    { keys: 'Alt+PageUp', run: onBack },
  ])
  const { index, count } = turn
  useEffect(() => {
    if (index >= 0 && isPlain)
      announce(t('preview.announce', { name: shownName(resource.name), index: index + 1, count }))
  }, [resource.name, index, count, isPlain])
  const narrow = useWindowClass() === 'narrow'
  const strip = useFilmstrip(resource.type, count)
  const steps = paper && <Steps turn={turn} onBack={onBack} onOn={onOn} />
  return (
    <Overlay dark>
      {isPlain ? (
        <SharedBar
          {...props}
          slideshow={slideshow}
          steps={narrow ? null : steps || <Position turn={turn} />}
          narrow={narrow}
        />
      ) : (
        <h1 className="visually-hidden">{shownName(resource.name)}</h1>
      )}
      <div ref={content} className={shell.content}>
        <div className={`${shell.stage} ${styles.column}`} data-paper={paper} {...swipe.handlers}>
          <Suspense fallback={<Spinner label={t('common.loading')} />}>{children}</Suspense>
          {!paper && isPlain && <Arrows turn={turn} onBack={onBack} onOn={onOn} />}
          <LazyBoundary onMissing={stopSlideshow}>
            {!isPlain && <Slideshow items={turn.items} {...{ index, pictureUrl, goTo }} />}
          </LazyBoundary>
        </div>
      </div>
      <LazyBoundary>
        {strip?.isShown && isPlain && <Filmstrip items={turn.items} index={index} goTo={goTo} />}
      </LazyBoundary>
      {narrow && steps}
    </Overlay>
  )
}

interface SharedBarProps extends SharedShellProps {
  slideshow: SlideshowChoice | undefined
  steps: ReactNode
  narrow: boolean
}

function SharedBar({ resource, save, open, slideshow, steps, narrow, onClose, onEdit }: SharedBarProps) {
  return (
    <div className={bar.bar}>
      <IconButton label={t('common.close')} keys="Esc" onClick={onClose}>
        <X size={20} aria-hidden />
      </IconButton>
      <h1 className={bar.name}>
        <bdi>{shownName(resource.name)}</bdi>
      </h1>
      {steps}
      {onEdit && (
        <Button icon={<SquarePen size={18} aria-hidden />} onClick={onEdit}>
          <span className={narrow ? 'visually-hidden' : undefined}>{t('actions.edit')}</span>
        </Button>
      )}
      {slideshow && (
        <IconButton label={t('preview.slideshow')} keys="S" onClick={slideshow.toggle}>
          <MonitorPlay size={18} aria-hidden />
        </IconButton>
      )}
      {open !== undefined && (
        <a
          className={buttons.iconButton}
          href={open}
          target="_blank"
          rel="noreferrer"
          aria-label={t('preview.openTab')}
          data-tip={t('preview.openTab')}
        >
          <ExternalLink size={18} aria-hidden />
        </a>
      )}
      {save !== undefined && (
        <a className={`${buttons.button} ${buttons.primary}`} href={save} download={resource.name}>
          <Download size={18} aria-hidden />
          <span className={narrow ? 'visually-hidden' : undefined}>{t('common.download')}</span>
        </a>
      )}
    </div>
  )
}
