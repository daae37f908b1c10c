import { useDeferredValue, useEffect, useRef } from 'react'
import { decodeEscapes } from '../../../../shared/bytes.ts'
import { pageConfig } from '../../../lib/config.ts'
import { navigate } from '../../../lib/router.tsx'
import { OWN_FILES, type RelatedUrls } from '../items/related-urls.ts'
import styles from './article.module.css'
import { renderMarkdown, slugOf } from './render.ts'

interface ArticleProps {
  /** Of the file that references in the text are relative to. */
  path: string
  text: { toString(): string }
  relatedUrls?: RelatedUrls
  /** A short text among other facts, in which a line break is one. */
  isSmall?: boolean
  className?: string | undefined
  /** Called with the element when its content is there. */
  onRendered?: (article: HTMLElement) => void
}

/** Rendered Markdown. Follows the source. */
export function Article({
  path,
  text,
  relatedUrls = OWN_FILES,
  isSmall = false,
  className = '',
  onRendered,
}: ArticleProps) {
  const article = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = article.current
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [])
  const settled = useDeferredValue(text)
  useEffect(() => {
    const external = !pageConfig.DisableExternal
    const rendered = renderMarkdown(settled.toString(), { path, relatedUrls, external, isSmall })
    article.current?.replaceChildren(rendered)
    if (article.current) onRendered?.(article.current)
  }, [settled, path, relatedUrls, isSmall, onRendered])
  return (
    <article ref={article} className={`${styles.rendered} ${className}`} data-small={isSmall || undefined} dir="auto" />
  )
}

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
