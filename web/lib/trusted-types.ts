import { pageConfig } from './config.ts'

/** The part of Trusted Types (W3C) in use. Not every browser has them. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: {
      /** `undefined` for a refused value. */
      createHTML(text: string, type: string, sink: string): string | undefined
      createScriptURL(address: string): string | undefined
    },
  ): unknown
}

/**
 * Where text may become markup: in a document of its own, which runs nothing, or in a frame, which inherits the policy
 * of this page.
 */
const APART: ReadonlySet<string> = new Set(['DOMParser parseFromString', 'HTMLIFrameElement srcdoc'])

/**
 * Installs the Trusted Types policy for `require-trusted-types-for`: scripts and workers come from the application's
 * own built files, and no text becomes markup in the page itself. Must be called before anything is rendered.
 */
export function installTrustedTypes(): void {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createHTML: (text, _type, sink) => (APART.has(sink) ? text : undefined),
    createScriptURL: address => (isBuilt(address) ? address : undefined),
  })
}

/** Encoded slashes or dots would be resolved only by the server, which refuses them. */
function isBuilt(address: string): boolean {
  const url = URL.parse(address, location.href)
  const { BaseURL, StaticURL } = pageConfig
  return (
    url?.origin === location.origin && (url.pathname.startsWith(`${StaticURL}/`) || url.pathname === `${BaseURL}/sw.js`)
  )
}
