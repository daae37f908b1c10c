import type { FastifyInstance } from 'fastify'

/** What a captcha provider's own script and frames come from; Google's keeps its code on a second host. */
const SECOND_HOSTS: Record<string, string> = {
  'https://www.google.com': 'https://www.gstatic.com/recaptcha/',
  'https://www.recaptcha.net': 'https://www.gstatic.com/recaptcha/',
}

/** `dompurify` is what Markdown is made of; `default` allows what runs nothing (`web/lib/trusted-types.ts`). */
const TRUSTED_TYPES = ["require-trusted-types-for 'script'", "trusted-types default dompurify 'allow-duplicates'"]

export interface PagePolicyOptions {
  /** Address of a captcha provider, where a captcha is shown. */
  captchaHost?: string | undefined
  /** Where documents in frames come from, if not from here. */
  contentOrigin?: string
  /** Lets in the style elements that carry it: those of documents shown in frames, which inherit the policy. */
  styleNonce?: string
}

/**
 * For our own pages: scripts and styles only from our own files, no inline script, no text that becomes markup unseen
 * (Trusted Types), nobody may frame us. A captcha provider (http-api 18) may bring its script and show its frame, from its
 * folder `recaptcha` and nowhere else; its script makes markup of texts.
 */
export function pagePolicy({ captchaHost, contentOrigin = '', styleNonce }: PagePolicyOptions = {}): string {
  const provider = captchaHost === undefined ? [] : captchaSources(captchaHost)
  const frames = [...(contentOrigin === '' ? [] : ["'self'", contentOrigin]), ...provider]
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
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The provider as sources of a policy (CSP Level 3, 2.3.1); none for an address that is none. */
function captchaSources(host: string): string[] {
  const url = URL.parse(`${host}/recaptcha/`)
  if (!url || !/^https?:$/.test(url.protocol)) return []
  // These two would end the source.
  const path = url.pathname.replace(/[;,]/g, encodeURIComponent)
  const second = SECOND_HOSTS[url.origin]
  return [`${url.origin}${path}`, ...(second === undefined ? [] : [second])]
}

/** Headers of every answer unless a handler knows better. */
export const EVERYWHERE = {
  'Content-Security-Policy': pagePolicy(),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'Cache-Control': 'no-cache, no-store, must-revalidate',
}

/** Puts the headers on every answer, errors included. */
export function addHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(EVERYWHERE)
  })
}
