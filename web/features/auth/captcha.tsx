import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { pageConfig } from '../../lib/config.ts'
import { localeTag, t } from '../../lib/i18n/index.ts'
import styles from './login.module.css'

/** The API of the captcha provider's script. */
interface Provider {
  ready(run: () => void): void
  /** Renders the captcha into an element. @returns its id */
  render(element: HTMLElement, options: { sitekey: string; theme: 'light' | 'dark' }): number
  getResponse(id: number): string
  reset(id: number): void
}

declare global {
  interface Window {
    grecaptcha?: Provider
  }
}

export interface CaptchaHandle {
  /** The response so far, `''` without one. Valid for one sign-in. */
  answer(): string
  reset(): void
}

/**
 * Container of the provider's captcha (http-api 18). Its script comes from the one host that the page's policy allows.
 */
export function Captcha({ ref }: { ref: Ref<CaptchaHandle> }) {
  const box = useRef<HTMLDivElement>(null)
  const id = useRef<number>(undefined)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    return loadProvider(
      provider => {
        const theme = getComputedStyle(element).colorScheme === 'dark' ? 'dark' : 'light'
        id.current = provider.render(element, { sitekey: pageConfig.ReCaptchaKey, theme })
      },
      () => setFailed(true),
    )
  }, [])
  useImperativeHandle(ref, () => ({
    answer: () => (id.current === undefined ? '' : (window.grecaptcha?.getResponse(id.current) ?? '')),
    reset: () => id.current !== undefined && window.grecaptcha?.reset(id.current),
  }))
  return (
    <div className={styles.captcha}>
      <div ref={box} />
      {failed && <p role="alert">{t('auth.captchaFailed')}</p>}
    </div>
  )
}

/**
 * @returns a function after which no callback is called
 */
function loadProvider(onReady: (provider: Provider) => void, onError: () => void): () => void {
  let gone = false
  const ready = () => window.grecaptcha?.ready(() => window.grecaptcha && !gone && onReady(window.grecaptcha))
  const stop = () => {
    gone = true
  }
  if (window.grecaptcha) {
    ready()
    return stop
  }
  const script = document.createElement('script')
  const query = new URLSearchParams({ render: 'explicit', hl: localeTag() })
  script.src = `${pageConfig.ReCaptchaHost ?? ''}/recaptcha/api.js?${query}`
  script.addEventListener('load', ready)
  script.addEventListener('error', () => !gone && onError())
  document.head.append(script)
  return stop
}
