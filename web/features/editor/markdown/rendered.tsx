import type { FileResource } from '../../../../shared/api/resources.ts'
import { loadChunk } from '../../../lib/chunk.ts'
import { t } from '../../../lib/i18n/index.ts'
import type { RelatedUrls } from '../../files/items/related-urls.ts'
import { Article } from '../../files/markdown/article.tsx'
import { LANGUAGE } from '../../files/markdown/render.ts'
import colours from '../code/colours.module.css'
import styles from './rendered.module.css'

interface RenderedProps {
  resource: FileResource
  text: { toString(): string }
  /** Resolves references relative to the file. */
  relatedUrls?: RelatedUrls
}

/** A rendered Markdown file, with colours in its code. */
export function Rendered({ resource: { path }, text, relatedUrls }: RenderedProps) {
  return (
    <section className={styles.scroller} aria-label={t('editor.rendered')} {...SCROLLABLE}>
      <Article
        path={path}
        text={text}
        className={colours.code}
        onRendered={withColours}
        {...(relatedUrls && { relatedUrls })}
      />
    </section>
  )
}

/** In the tab order, so that the keyboard can scroll it. */
const SCROLLABLE = { tabIndex: 0 }

/** The colours are loaded with the first code; without them the code is plain. */
function withColours(article: HTMLElement): void {
  const hasCode = article.querySelector(`code[${LANGUAGE}]:not([${LANGUAGE}=""])`) !== null
  if (hasCode)
    void loadChunk(() => import('./colour-code.ts'))
      .then(part => part.colourCode(article))
      .catch(() => undefined)
}
