import { type Answer, call } from '../api/client.ts'
import type { Instance, StartOptions } from '../api/harness.ts'
import { BASE, READER, type Slapd } from './slapd.ts'

/** Start options of a server with directories. */
export const withDirectories = (directories: readonly object[], more: StartOptions = {}): StartOptions => ({
  ...more,
  // So that tests come from different networks, as wrong passwords are counted.
  args: ['--trustedProxies', '127.0.0.1', ...(more.args ?? [])],
  env: { ...more.env, FILIGREE_DIRECTORIES: JSON.stringify(directories) },
})

/** The settings of a directory on this server, with StartTLS; everything else has its default. */
export const directoryAt = (slapd: Pick<Slapd, 'port' | 'caFile'>, more: object = {}): object => ({
  ...{ slug: 'corp', label: 'Head office', urls: [`ldap://127.0.0.1:${slapd.port}`], caFile: slapd.caFile },
  ...{ bindDn: READER.dn, bindPassword: READER.password, base: BASE, groups: 'search' },
  ...more,
})

/** Signs in, from a network of its own unless another is given. */
export const logIn = (
  place: Pick<Instance, 'url'>,
  username: string,
  password: string,
  { address = nextAddress() }: { address?: string } = {},
): Promise<Answer> =>
  call(place, '/api/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify({ username, password }),
  })

let addresses = 0
const nextAddress = () => `10.77.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`
