import { BlockList, isIP } from 'node:net'

/**
 * Whether an address lies in one of the networks.
 * @param networks addresses, or networks such as `10.0.0.0/8`, validated by the configuration
 */
export function membership(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = familyOf(address)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return address => isIP(address) !== 0 && list.check(address, familyOf(address))
}

/** Whether a text is an address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const most = isIP(address) === 6 ? 128 : 32
  const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= most)
  return isIP(address) !== 0 && fits && rest.length === 0
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const isLoopbackAddress = membership(['127.0.0.0/8', '::1'])

/** Whether a URL leads to this machine, so that requests do not cross a network. */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[(.*)\]$/, '$1'))
}
