import type { FastifyInstance } from 'fastify'

/** Origins of a captcha provider's script and frames; Google's serves its code from a second host. */
const SECOND_HOSTS: Record<string, string> = {
  'https://www.google.com': 'https://www.gstatic.com/recaptcha/',
  'https://www.recaptcha.net': 'https://www.gstatic.com/recaptcha/',
}

/** `dompurify` sanitizes Markdown; `default` permits only what runs nothing (`web/lib/trusted-types.ts`). */
const TRUSTED_TYPES = ["require-trusted-types-for 'script'", "trusted-types default dompurify 'allow-duplicates'"]

export interface PagePolicyOptions {
  /** Sources of pages that may show this one in a frame; none by default. */
  frameAncestors?: readonly string[]
  /** URL of the captcha provider, on pages with a captcha. */
  captchaHost?: string | undefined
  /** Origin of documents in frames, if not this one. */
  contentOrigin?: string
  /** Origin of the office editor, which is shown in a frame and takes a form there. */
  office?: string
  /** Nonce for style elements: those of documents shown in frames, which inherit the policy. */
  styleNonce?: string
}

/**
 * For our own pages: scripts and styles from our own files only, no inline script, no implicit conversion of text to
 * markup (Trusted Types), no framing of our pages unless the host names who may. A captcha provider (http-api 18) may load its script and show its
 * frame, from its folder `recaptcha` only; its script converts text to markup.
 */
export function pagePolicy({
  captchaHost,
  contentOrigin = '',
  frameAncestors = [],
  office = '',
  styleNonce,
}: PagePolicyOptions = {}): string {
  const provider = captchaHost === undefined ? [] : captchaSources(captchaHost)
  const documents = [contentOrigin, office].filter(origin => origin !== '')
  const frames = [...(documents.length === 0 ? [] : ["'self'", ...documents]), ...provider]
  return [
    "default-src 'self'",
    ["script-src 'self'", ...provider].join(' '),
    styleNonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${styleNonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "worker-src 'self' blob:",
    ...(frames.length > 0 ? [['frame-src', ...frames].join(' ')] : []),
    ...(provider.length > 0 ? [] : TRUSTED_TYPES),
    "object-src 'none'",
    "base-uri 'none'",
    ["form-action 'self'", ...(office === '' ? [] : [office])].join(' '),
    ['frame-ancestors', ...(frameAncestors.length > 0 ? frameAncestors : ["'none'"])].join(' '),
  ].join('; ')
}

/** The provider as sources of a policy (CSP Level 3, 2.3.1); none for an invalid URL. */
function captchaSources(host: string): string[] {
  const url = URL.parse(`${host}/recaptcha/`)
  if (!url || !/^https?:$/.test(url.protocol)) return []
  // These two characters would end the source.
  const path = url.pathname.replace(/[;,]/g, encodeURIComponent)
  const second = SECOND_HOSTS[url.origin]
  return [`${url.origin}${path}`, ...(second === undefined ? [] : [second])]
}

/** Default headers of every response. */
export const EVERYWHERE = {
  'Content-Security-Policy': pagePolicy(),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'Cache-Control': 'no-cache, no-store, must-revalidate',
}

/** Sets the headers on every response, errors included. */
export function addHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(EVERYWHERE)
  })
}
