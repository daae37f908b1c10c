import { pageConfig } from './config.ts'

/** What is used of Trusted Types (W3C). Not every browser has them. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: {
      /** Nothing for what is refused. */
      createHTML(text: string, type: string, sink: string): string | undefined
      createScriptURL(address: string): string | undefined
    },
  ): unknown
}

/**
 * Where a text may become markup: in a document of its own, which runs nothing, or in a frame, which keeps to the policy
 * of this page.
 */
const APART: ReadonlySet<string> = new Set(['DOMParser parseFromString', 'HTMLIFrameElement srcdoc'])

/**
 * Decides over what the policy of the page asks about (`require-trusted-types-for`): scripts and workers come from our own
 * built files, and no text becomes markup in the page itself. To be called before anything is shown.
 */
export function guardSinks(): void {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createHTML: (text, _type, sink) => (APART.has(sink) ? text : undefined),
    createScriptURL: address => (isBuilt(address) ? address : undefined),
  })
}

/** An encoded slash or dots would lead elsewhere only on the server, which refuses them. */
function isBuilt(address: string): boolean {
  const url = URL.parse(address, location.href)
  return url?.origin === location.origin && url.pathname.startsWith(`${pageConfig.StaticURL}/`)
}
