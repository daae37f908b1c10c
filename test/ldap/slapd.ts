import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../proxies/free-port.ts'

export const BASE = 'dc=example,dc=org'
export const READER = { dn: `cn=filigree,${BASE}`, password: 'a-password-of-the-reader' }
const ROOT = { dn: `cn=root,${BASE}`, password: 'a-password-of-the-root' }
const MODULES = '/usr/lib/ldap'
const SCHEMAS = ['core', 'cosine', 'inetorgperson', 'nis']
/** Milliseconds for the start. */
const PATIENCE = 10_000

/** A directory server of its own, on the loopback interface. */
export interface Slapd {
  port: number
  securePort: number
  /** The certificate of the authority, as a file. */
  caFile: string
  /** Its log of connections and operations so far. */
  log(): string
  /** Applies changes in LDIF as `ldapmodify` does. */
  modify(ldif: string): void
  /** Ends it; `start` continues with the same entries. */
  stop(): Promise<void>
  /** Ends it, and deletes its folder. */
  close(): Promise<void>
  start(): Promise<void>
  /** Stops and continues its process, so that it accepts connections and is silent. */
  freeze(): void
  thaw(): void
}

/** Starts a server with these entries below `BASE`. */
export async function launchSlapd(entries: string): Promise<Slapd> {
  const home = mkdtempSync(join(tmpdir(), 'filigree-slapd-'))
  const [port, securePort] = [await freePort(), await freePort()]
  const caFile = makeCertificates(home)
  const config = join(home, 'slapd.conf')
  mkdirSync(join(home, 'db'))
  writeFileSync(config, configuration(home))
  execFileSync('/usr/sbin/slapadd', ['-f', config], { input: `${TOP}\n${entries}`, stdio: ['pipe', 'ignore', 'pipe'] })
  let child: ChildProcess | undefined
  let text = ''
  const slapd: Slapd = {
    port,
    securePort,
    caFile,
    log: () => text,
    modify(ldif) {
      const auth = ['-x', '-H', `ldap://127.0.0.1:${port}`, '-D', ROOT.dn, '-w', ROOT.password]
      execFileSync('ldapmodify', auth, { input: ldif, stdio: ['pipe', 'ignore', 'pipe'] })
    },
    async stop() {
      if (!child) return
      const ended = once(child, 'close')
      child.kill('SIGCONT')
      child.kill('SIGKILL')
      await ended
      child = undefined
    },
    async close() {
      await slapd.stop()
      rmSync(home, { recursive: true, force: true })
    },
    async start() {
      const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${securePort}`
      child = spawn('/usr/sbin/slapd', ['-f', config, '-h', urls, '-d', 'stats'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      child.stderr?.on('data', (chunk: Buffer) => {
        text += chunk
      })
      await untilOpen(port)
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
  await slapd.start()
  return slapd
}

/** A person below `ou=people`, with these further lines. */
export const person = (uid: string, password: string, more = ''): string => `
dn: uid=${uid},ou=people,${BASE}
objectClass: inetOrgPerson
objectClass: shadowAccount
uid: ${uid}
cn: ${uid}
sn: ${uid}
mail: ${uid}@example.org
userPassword: ${password}
${more}`

/** A group with these members, by their DN. */
export const group = (cn: string, members: readonly string[], ou = 'groups'): string => `
dn: cn=${cn},ou=${ou},${BASE}
objectClass: groupOfNames
cn: ${cn}
${members.map(dn => `member: ${dn}`).join('\n')}
`

export const dnOf = (uid: string): string => `uid=${uid},ou=people,${BASE}`
export const groupDn = (cn: string): string => `cn=${cn},ou=groups,${BASE}`

const TOP = `
dn: ${BASE}
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ${READER.dn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: filigree
userPassword: ${READER.password}

dn: ou=people,${BASE}
objectClass: organizationalUnit
ou: people

dn: ou=groups,${BASE}
objectClass: organizationalUnit
ou: groups
`

const configuration = (home: string): string => `
${SCHEMAS.map(name => `include /etc/ldap/schema/${name}.schema`).join('\n')}
pidfile ${home}/slapd.pid
modulepath ${MODULES}
moduleload back_mdb
moduleload memberof
TLSCACertificateFile ${home}/ca.pem
TLSCertificateFile ${home}/server.pem
TLSCertificateKeyFile ${home}/server.key
sizelimit unlimited
database mdb
suffix "${BASE}"
rootdn "${ROOT.dn}"
rootpw ${ROOT.password}
directory ${home}/db
maxsize 104857600
dbnosync
index objectClass,uid,member eq
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${READER.dn}" read by anonymous auth by * none
overlay memberof
`

/** An authority, and a certificate of it for 127.0.0.1 and localhost. */
export function makeCertificates(home: string): string {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: home, stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=Authority', '-keyout', 'ca.key', '-out', 'ca.pem')
  openssl('req', ...key, '-subj', '/CN=localhost', '-keyout', 'server.key', '-out', 'server.csr')
  writeFileSync(join(home, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1')
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.pem')
  if (readFileSync(join(home, 'server.pem'), 'utf8') === '') throw new Error('openssl made no certificate')
  return join(home, 'ca.pem')
}

export async function untilOpen(port: number): Promise<void> {
  const late = Date.now() + PATIENCE
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      wait(1000, false),
    ])
    socket.destroy()
    if (isOpen) return
    if (Date.now() > late) throw new Error('the directory did not start')
    await wait(50)
  }
}
