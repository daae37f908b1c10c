// In an add-on of Home Assistant with ingress: the Supervisor knows the prefix under which it forwards requests.
/** The address of the Supervisor in the network of add-ons, from which requests of ingress come. */
const SUPERVISOR = '172.30.32.2'
const PREFIX = /^\/api\/hassio_ingress\/[\w-]+$/

/**
 * Asks the Supervisor, once: a prefix in the headers of a request would be chosen by its client.
 * @param at where the Supervisor answers, for tests
 * @returns variables to set; none outside of Home Assistant, and in an add-on with a port of its own
 * @throws Error for an answer that names no prefix of ingress
 */
export async function behindIngress({ SUPERVISOR_TOKEN: token }, at = 'http://supervisor') {
  if (!token) return {}
  const answer = await fetch(`${at}/addons/self/info`, { headers: { Authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`The Supervisor of Home Assistant answers ${answer.status}.`)
  const { ingress, ingress_entry: prefix } = (await answer.json()).data ?? {}
  if (ingress !== true) return {}
  if (!PREFIX.test(prefix)) throw new Error(`The Supervisor of Home Assistant names no prefix of ingress: ${prefix}`)
  return {
    FILIGREE_BASE_URL: prefix,
    FILIGREE_PREFIX_STRIPPED: 'true',
    FILIGREE_TRUSTED_PROXIES: SUPERVISOR,
    // Pages of Home Assistant, which has the same origin.
    FILIGREE_FRAME_ANCESTORS: 'self',
  }
}
