/**
 * The shadow root of an editor: there its style sheets can be adopted, which the page's policy allows, unlike inline
 * ones.
 */
export function shadowOf(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: 'open' })
}
