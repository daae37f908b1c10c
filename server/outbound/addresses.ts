import { isIP } from 'node:net'
import { membership } from '../lib/networks.ts'

/** What is not on the Internet although its form fits: the registries of special addresses of IANA (RFC 6890). */
const isSpecial = membership([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
])

/** Global unicast (RFC 4291, 2.4): everything else of IPv6 is local, or carries an address of IPv4. */
const isGlobalUnicast = membership(['2000::/3'])

/** Whether an address is on the Internet: neither private nor reserved, nor another form of such an address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%') || isSpecial(address)) return false
  return isIP(address) === 4 || isGlobalUnicast(address)
}
