import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { pageConfig } from '../../lib/config.ts'
import { localeTag, t } from '../../lib/i18n/index.ts'
import styles from './login.module.css'

/** What the captcha provider's script offers. */
interface Provider {
  ready(run: () => void): void
  /** Puts the captcha into an element. @returns its id */
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
  /** The answer so far, `''` if there is none. It is good for one login. */
  answer(): string
  reset(): void
}

/** Where the provider shows its captcha (http-api 18). Its script comes from the one host the page's policy allows. */
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

/** @returns a function after which nothing is called any more */
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
