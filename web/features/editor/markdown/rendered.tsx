import { useDeferredValue, useEffect, useRef } from 'react'
import type { FileResource } from '../../../../shared/api/resources.ts'
import { decodeEscapes } from '../../../../shared/bytes.ts'
import { loadChunk } from '../../../lib/chunk.ts'
import { pageConfig } from '../../../lib/config.ts'
import { t } from '../../../lib/i18n/index.ts'
import { navigate } from '../../../lib/router.tsx'
import { OWN_FILES, type RelatedUrls } from '../../files/items/related-urls.ts'
import colours from '../code/colours.module.css'
import { LANGUAGE, renderMarkdown, slugOf } from './render.ts'
import styles from './rendered.module.css'

interface RenderedProps {
  resource: FileResource
  text: { toString(): string }
  /** Resolves references relative to the file. */
  relatedUrls?: RelatedUrls
}

/** Rendered Markdown. Follows the source. */
export function Rendered({ resource: { path }, text, relatedUrls = OWN_FILES }: RenderedProps) {
  const article = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = article.current
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [])
  const settled = useDeferredValue(text)
  useEffect(() => {
    const external = !pageConfig.DisableExternal
    const rendered = renderMarkdown(settled.toString(), { path, relatedUrls, external })
    const hasCode = rendered.querySelector(`code[${LANGUAGE}]:not([${LANGUAGE}=""])`) !== null
    article.current?.replaceChildren(rendered)
    if (hasCode) void withColours(article.current)
  }, [settled, path, relatedUrls])
  return (
    <section className={styles.scroller} aria-label={t('editor.rendered')} {...SCROLLABLE}>
      <article ref={article} className={`${styles.rendered} ${colours.code}`} dir="auto" />
    </section>
  )
}

/** The colours are loaded with the first code; without them the code is plain. */
async function withColours(article: HTMLElement | null): Promise<void> {
  const part = await loadChunk(() => import('./colour-code.ts')).catch(() => undefined)
  if (article) await part?.colourCode(article)
}

/** In the tab order, so that the keyboard can scroll it. */
const SCROLLABLE = { tabIndex: 0 }

/** Links to files of this instance open in the page, and those to headings scroll. */
function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  const target = link?.getAttribute('href')
  if (!plain || !target || link?.target === '_blank') return
  event.preventDefault()
  if (!target.startsWith('#')) return void navigate(target.slice(pageConfig.BaseURL.length))
  const wanted = slugOf(decodeEscapes(target.slice(1)) ?? '')
  const headings = [...(link?.closest('article')?.querySelectorAll('h2, h3, h4, h5, h6') ?? [])]
  headings.find(heading => slugOf(heading.textContent) === wanted)?.scrollIntoView({ block: 'start' })
}
