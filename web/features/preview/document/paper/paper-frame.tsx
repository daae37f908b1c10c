import { type RefObject, useMemo } from 'react'
import { styleNonce } from '../../../../lib/style-nonce.ts'
import { PAPER_ADDRESS } from './markup.ts'
import styles from './paper-frame.module.css'

export interface Paper {
  /** Markup that `cleanMarkup` let through. */
  html: string
  /** Rules that `cleanRules` let through, or our own. */
  css: string
  /** Of the text, as a BCP 47 tag. */
  language?: string
}

interface PaperFrameProps extends Paper {
  /** Accessible name. */
  title: string
  /** Lets others go to places (`goToPlace`). */
  frame?: RefObject<HTMLIFrameElement | null>
}

/**
 * Shows markup from a document in a frame of no origin, in which no script runs and no form is sent. It inherits the
 * policy of the page; styles are let in by its nonce. Links open in tabs of their own.
 */
export function PaperFrame({ html, css, language = '', title, frame }: PaperFrameProps) {
  const page = useMemo(() => pageOf(html, css, language), [html, css, language])
  return (
    <iframe
      ref={frame}
      className={styles.frame}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={page}
      title={title}
    />
  )
}

function pageOf(html: string, css: string, language: string): string {
  const lang = /^[a-z]{2,3}(?:-[a-z\d]{1,8})*$/i.test(language) ? ` lang="${language}"` : ''
  return `<!doctype html><html${lang}><head><meta charset="utf-8"><style nonce="${styleNonce}">${css}</style></head><body>${html}</body></html>`
}

/** Brings an element of a shown document into sight. */
export function goToPlace(frame: HTMLIFrameElement | null, id: string): void {
  frame?.contentWindow?.location.replace(`${PAPER_ADDRESS}#${encodeURIComponent(id)}`)
}
