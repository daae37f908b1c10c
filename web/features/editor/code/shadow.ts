/**
 * The root that an editor is mounted in: there its style sheets may be adopted, which the policy of the page allows and
 * inline ones are not.
 */
export function shadowOf(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: 'open' })
}
