import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { makeCertificates, untilOpen } from './slapd.ts'

const [REALM, DOMAIN] = ['CORP.EXAMPLE', 'CORP']
const ADMIN_PASSWORD = 'a-password-of-the-Domain-9'
/** It listens on the port of LDAP over TLS, which its configuration cannot change. */
const PORT = 636
const QUIET: ('ignore' | 'pipe')[] = ['ignore', 'ignore', 'pipe']

/** Only root can start a domain controller. */
export const hasSamba =
  process.getuid?.() === 0 && ['samba', 'samba-tool'].every(name => spawnSync(name, ['--version']).status === 0)

/** Samba as a domain controller of Active Directory, on the loopback interface. */
export interface Samba {
  /** Settings of this directory. */
  settings: object
  /** Runs a command of `samba-tool`. @throws Error */
  tool(...args: string[]): void
}

/** Makes a domain and starts its controller, which ends with the tests of the file. */
export async function startSamba(): Promise<Samba> {
  const home = mkdtempSync(join(tmpdir(), 'filigree-samba-'))
  const config = join(home, 'etc/smb.conf')
  execFileSync('samba-tool', provision(home), { stdio: QUIET })
  const caFile = makeCertificates(home)
  chmodSync(join(home, 'server.key'), 0o600)
  const tls = { cafile: 'ca.pem', certfile: 'server.pem', keyfile: 'server.key' }
  const options = Object.entries(tls).map(([name, file]) => `--option=tls ${name}=${join(home, file)}`)
  const how = ['-F', '--no-process-group', '-M', 'single', '-s', config, '--debug-stdout', ...options]
  const child = spawn('samba', how, { stdio: 'ignore' })
  afterAll(async () => {
    const ended = once(child, 'close')
    child.kill()
    await ended
    rmSync(home, { recursive: true, force: true })
  })
  await untilOpen(PORT)
  return {
    settings: {
      ...{ slug: 'corp', label: 'Head office', kind: 'activeDirectory', urls: [`ldaps://127.0.0.1:${PORT}`], caFile },
      ...{ bindDn: `Administrator@${REALM.toLowerCase()}`, bindPassword: ADMIN_PASSWORD },
      ...{ base: 'dc=corp,dc=example', groups: 'search' },
    },
    tool: (...args) => void execFileSync('samba-tool', [...args, '-s', config], { stdio: QUIET }),
  }
}

function provision(home: string): string[] {
  const options = {
    ...{ 'bind interfaces only': 'yes', interfaces: 'lo', 'server services': 'ldap' },
    // Extended attributes of a file system are not needed then.
    ...{ 'posix:eadb': join(home, 'eadb.tdb'), 'vfs objects': 'acl_xattr xattr_tdb' },
  }
  return [
    ...['domain', 'provision', `--realm=${REALM}`, `--domain=${DOMAIN}`, '--server-role=dc', '--dns-backend=NONE'],
    ...[`--adminpass=${ADMIN_PASSWORD}`, `--targetdir=${home}`, '--host-name=dc1', '--host-ip=127.0.0.1'],
    ...Object.entries(options).map(([name, value]) => `--option=${name}=${value}`),
  ]
}
