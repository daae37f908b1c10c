import { useCallback, useRef, useState } from 'react'
import { shownName } from '../../../shared/bytes.ts'
import { apiUrl } from '../../lib/api.ts'
import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts } from '../../lib/keyboard.ts'
import { useStore } from '../../lib/store.ts'
import { useViewerCommands } from '../../lib/viewer-commands.ts'
import { cancelImage } from '../files/items/cancel-image.ts'
import { previewUrl } from '../files/items/preview-url.ts'
import type { PreviewCommands } from './actions.ts'
import type { DocumentProps } from './document/bytes.ts'
import styles from './image.module.css'
import { imageUrl } from './image-url.ts'
import { mayShowOriginal, Original } from './original.tsx'
import { PreviewError } from './preview-error.tsx'
import { slideshowStore } from './slideshow/store.ts'
import { usePixels } from './use-pixels.ts'
import { useSharedKeys } from './use-shared-keys.ts'
import { useStageSize } from './use-stage-size.ts'
import { useZoom } from './use-zoom.ts'
import { type Size, stageSizeOf } from './zoom.ts'
import { ZoomTools } from './zoom-tools.tsx'

/** An image that can be zoomed and panned; its thumbnail is shown until it has loaded. */
export default function ImageViewer(props: DocumentProps) {
  const { resource, source } = props
  const [failed, setFailed] = useState(false)
  useSharedKeys(source !== undefined)
  if (failed) return <PreviewError {...props} />
  const url = source === undefined ? imageUrl(resource) : apiUrl(source)
  const small = source === undefined && pageConfig.EnableThumbs ? previewUrl('thumb', resource) : undefined
  return <Picture key={url} {...props} url={url} small={small} onFail={() => setFailed(true)} />
}

interface PictureProps extends DocumentProps {
  url: string
  /** URL of the thumbnail. */
  small: string | undefined
  onFail: () => void
}

function Picture({ resource, source, url, small, onFail }: PictureProps) {
  const stage = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<Size>()
  const isSlideshow = useStore(slideshowStore)
  // One that has been loaded ahead is there at once, without a frame of nothing.
  const begin = useCallback((image: HTMLImageElement) => {
    if (image.complete && image.naturalWidth > 0) setShown(sizeOf(image))
    return () => cancelImage(image)
  }, [])
  const pixels = usePixels({ resource, ...(source !== undefined && { source }) }, shown)
  const size = useStageSize(stage)
  const { view, pointers, zoomTo, zoomIn, zoomOut, fit } = useZoom(stage, pixels)
  const fitted = pixels && size && stageSizeOf(size, pixels).fitted
  const actualSize = () => fitted && zoomTo(() => pixels.width / fitted.width)
  useViewerCommands({ zoomIn, zoomOut, fit, actualSize } satisfies PreviewCommands)
  // The same key as `+`, without Shift.
  useShortcuts('listing', [{ keys: '=', run: zoomIn }])
  const { scale, x, y } = view
  const transform = `translate(${x}px, ${y}px) scale(${scale})`
  const style = fitted && { transform, inlineSize: fitted.width, blockSize: fitted.height }
  const isCoarse = shown && fitted && scale > 1 && fitted.width * scale * devicePixelRatio > shown.width
  const isReduced = shown && pixels && pixels.width > shown.width && source === undefined
  return (
    <>
      <div ref={stage} className={styles.stage} data-zoomed={scale !== 1 || undefined} {...pointers}>
        {!fitted && <Waiting small={small} />}
        <img
          ref={begin}
          className={styles.image}
          src={url}
          alt={shownName(resource.name)}
          draggable={false}
          data-loaded={fitted !== undefined || undefined}
          style={style}
          onLoad={({ currentTarget }) => setShown(sizeOf(currentTarget))}
          onError={onFail}
        />
        {style && isCoarse && isReduced && mayShowOriginal(resource) && <Original resource={resource} style={style} />}
      </div>
      {fitted && !isSlideshow && (
        <ZoomTools
          className={styles.zoom}
          scale={(fitted.width * scale) / pixels.width}
          isFitted={scale === 1}
          actualSize={actualSize}
          zoomIn={zoomIn}
          zoomOut={zoomOut}
          fit={fit}
        />
      )}
    </>
  )
}

/** An SVG may have no intrinsic size. */
function sizeOf({ naturalWidth, naturalHeight, clientWidth, clientHeight }: HTMLImageElement): Size {
  return { width: naturalWidth || clientWidth, height: naturalHeight || clientHeight }
}

/** The thumbnail, and after a moment a loading indicator. */
function Waiting({ small }: Pick<PictureProps, 'small'>) {
  const [gone, setGone] = useState(false)
  return (
    <>
      {small !== undefined && !gone && (
        <img className={styles.thumb} src={small} alt="" draggable={false} onError={() => setGone(true)} />
      )}
      <span className={styles.spinner} role="status">
        <span className="visually-hidden">{t('common.loading')}</span>
      </span>
    </>
  )
}
