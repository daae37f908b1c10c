import { type RefObject, useMemo } from 'react'
import styles from './document-frame.module.css'
import { PAPER_ADDRESS } from './markup.ts'

/** Nonce of the application's style elements; the page's policy contains it, a new one for every page. */
const styleNonce =
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '')

export interface FramedDocument {
  /** Markup from `cleanMarkup`. */
  html: string
  /** Rules from `cleanRules`, or the application's own. */
  css: string
  /** Language of the text, as a BCP 47 tag. */
  language?: string
}

interface DocumentFrameProps extends FramedDocument {
  /** Accessible name. */
  title: string
  /** Receives the frame for `goToPlace`. */
  frame?: RefObject<HTMLIFrameElement | null>
}

/**
 * Shows markup from a document in a frame with an opaque origin, in which no script runs and no form is sent. It
 * inherits the page's policy; its styles carry the page's nonce. Links open in new tabs.
 */
export function DocumentFrame({ html, css, language = '', title, frame }: DocumentFrameProps) {
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

/** Scrolls to an element of a shown document. */
export function goToPlace(frame: HTMLIFrameElement | null, id: string): void {
  frame?.contentWindow?.location.replace(`${PAPER_ADDRESS}#${encodeURIComponent(id)}`)
}
