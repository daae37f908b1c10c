import { shownName } from '../../../../shared/bytes.ts'
import { useShortcuts } from '../../../lib/keyboard.ts'
import { useViewerCommands } from '../../../lib/viewer-commands.ts'
import type { PreviewCommands } from '../actions.ts'
import { WithContents } from '../document/contents.tsx'
import { ZoomTools } from '../zoom-tools.tsx'
import { placeOf } from './destination.ts'
import { Page } from './page.tsx'
import { PageField } from './page-field.tsx'
import styles from './pdf.module.css'
import { SearchField } from './search-field.tsx'
import { type OnText, useFound } from './use-found.ts'
import { useOutline } from './use-outline.ts'
import { type Pages, usePages } from './use-pages.ts'
import type { Pdf } from './use-pdf.ts'
import { useSearch } from './use-search.ts'

/** In the tab order, so that the keyboard can scroll it. */
const SCROLLABLE = { tabIndex: 0 }

/** An open document. */
export function PdfDocument({ pdf, name }: { pdf: Pdf; name: string }) {
  const pages = usePages(pdf)
  const search = useSearch(pdf.document, pages.page)
  const onText = useFound(search, pages.goTo)
  const outline = useOutline(pdf)
  const { zoomIn, zoomOut, fit } = pages
  useViewerCommands({ zoomIn, zoomOut, fit } satisfies PreviewCommands)
  // The same key as `+`, without Shift.
  useShortcuts('listing', [{ keys: '=', run: zoomIn }])
  const goTo = (destination: unknown) => {
    placeOf(pdf.document, destination).then(
      place => place && pages.goTo(place),
      () => undefined,
    )
  }
  const bar = (
    <>
      <PageField page={pages.page} count={pdf.document.numPages} onGoTo={page => pages.goTo({ page, share: 0 })} />
      <ZoomTools className={styles.zoom} scale={pages.scale} zoomIn={zoomIn} zoomOut={zoomOut} fit={fit} />
      <SearchField search={search} />
    </>
  )
  return (
    <WithContents
      headings={outline}
      bar={bar}
      onGoTo={id => goTo(outline.find(heading => heading.id === id)?.destination)}
    >
      <section
        ref={pages.scroller}
        className={styles.scroller}
        dir="ltr"
        aria-label={shownName(name)}
        data-wide={pages.isWide || undefined}
        {...SCROLLABLE}
      >
        <Drawn pdf={pdf} pages={pages} onText={onText} onGoTo={goTo} />
      </section>
    </WithContents>
  )
}

interface DrawnProps {
  pdf: Pdf
  pages: Pages
  onText: OnText
  onGoTo(destination: unknown): void
}

/** The pages in view, each at its position. */
function Drawn({ pdf, pages, onText, onGoTo }: DrawnProps) {
  const { layout, scale, first, last } = pages
  const height = layout.tops.at(-1) ?? 0
  return (
    <div className={styles.pages} style={{ blockSize: height, minInlineSize: layout.width }}>
      {Array.from({ length: last - first + 1 }, (_, index) => first + index).map(number => {
        const size = pages.sizeOf(number)
        const style = {
          insetBlockStart: layout.tops[number - 1] ?? 0,
          inlineSize: size.width * scale,
          blockSize: size.height * scale,
        }
        return (
          <div key={number} className={styles.page} style={style} data-page={number}>
            <Page pdf={pdf} number={number} scale={scale} onSize={pages.onSize} onText={onText} onGoTo={onGoTo} />
          </div>
        )
      })}
    </div>
  )
}
