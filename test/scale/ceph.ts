import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, globSync, mkdirSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseS3Address, type S3Credentials } from '../../server/storage/s3/address.ts'
import { S3Client } from '../../server/storage/s3/client.ts'
import { size } from '../faults/sizes.ts'
import { freePort } from '../proxies/free-port.ts'

/** Where the programs were unpacked; `scripts/lib/ceph.mjs` does that. */
const HOME = process.env.FILIGREE_TEST_CEPH ?? join(homedir(), '.cache', 'filigree-ceph')
export const hasCeph = existsSync(join(HOME, 'bin', 'radosgw'))
const BUCKET = 'filigree-test'
/** GiB of the file that is to be copied and moved within the store. */
const COPIED = size('COPIED_GIB', 0)
/** Milliseconds a cluster may take to start. */
const PATIENCE = 120_000

/**
 * A one-node cluster of Ceph that stores its data in memory, or in a file if there will be much of it, and ends with
 * the process that started it.
 */
export interface CephStore {
  credentials: S3Credentials
  /** The root that names the whole bucket. */
  address: string
}

export async function startCeph(): Promise<CephStore> {
  const work = await mkdtemp(join(tmpdir(), 'filigree-ceph-'))
  for (const folder of ['mon', 'osd', 'rgw', 'log']) mkdirSync(join(work, folder))
  const [fsid, port, mon] = [randomUUID(), await freePort(), await freePort()]
  const conf = join(work, 'ceph.conf')
  await writeFile(conf, configuration(work, { fsid, port, mon }))
  const tool = (program: string, ...args: string[]) =>
    execFileSync(...call(program, [...args, '-c', conf]), { stdio: 'ignore', timeout: PATIENCE })
  const map = (name: string) => join(work, name)
  tool('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${mon}]`, map('monmap'))
  tool('osdmaptool', '--createsimple', '1', '--clobber', map('osdmap'))
  tool('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map('monmap'), '--osdmap', map('osdmap'))
  const daemons: ChildProcess[] = []
  const start = (program: string, ...args: string[]) =>
    void daemons.push(guarded(work, program, ['-c', conf, ...args, '-f']))
  start('ceph-mon', '-i', 'a')
  tool('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', randomUUID())
  start('ceph-osd', '-i', '0')
  start('radosgw', '-n', 'client.rgw')
  process.once('exit', () => {
    for (const daemon of daemons) daemon.stdin?.end()
  })
  const endpoint = `http://127.0.0.1:${port}`
  await answering(endpoint)
  const credentials = {
    accessKey: randomBytes(8).toString('hex'),
    secretKey: randomBytes(20).toString('hex'),
    sessionToken: '',
  }
  const keys = ['--access-key', credentials.accessKey, '--secret', credentials.secretKey]
  tool('radosgw-admin', '-n', 'client.admin', 'user', 'create', '--uid=test', '--display-name=test', ...keys)
  const address = `s3://${BUCKET}?endpoint=${endpoint}`
  const client = new S3Client(parseS3Address(address), credentials)
  await client.ask({ method: 'PUT' })
  client.close()
  return { credentials, address }
}

/** Programs run with the C library that was unpacked next to them. */
function call(program: string, args: readonly string[]): [file: string, args: string[]] {
  const [loader = ''] = globSync(join(HOME, 'lib', 'ld-linux*.so.*'))
  const libraries = [join(HOME, 'lib'), join(HOME, 'lib', 'ceph')].join(':')
  return [loader, ['--library-path', libraries, join(HOME, 'bin', program), ...args]]
}

/** Runs a daemon until its input ends, as it does when the tests end, however they do; its data is deleted with it. */
function guarded(work: string, program: string, args: readonly string[]): ChildProcess {
  const [file, all] = call(program, args)
  const script = '"$@" & daemon=$!; read -r _; kill -KILL $daemon; wait $daemon; rm -rf "$0"'
  const guard = spawn('sh', ['-c', script, work, file, ...all], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  guard.unref()
  return guard
}

async function answering(endpoint: string): Promise<void> {
  const late = Date.now() + PATIENCE
  for (;;) {
    const answer = await fetch(endpoint).catch(() => undefined)
    if (answer?.ok) return
    if (Date.now() > late) throw new Error('Ceph did not start')
    await pause(100)
  }
}

const IN_MEMORY = `osd objectstore = memstore
memstore device bytes = 4G`

/** The file, its parts, its copy and the destination of its move; nothing is written where nothing is stored. */
const inFile = (gib: number) => `osd objectstore = bluestore
bluestore block size = ${(4 * gib + 4) * 2 ** 30}
bluestore cache autotune = false
bluestore cache size = 128M`

const configuration = (work: string, { fsid, port, mon }: { fsid: string; port: number; mon: number }) => `[global]
fsid = ${fsid}
mon host = [v2:127.0.0.1:${mon}]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind msgr1 = false
ms mon client mode = crc
auth cluster required = none
auth service required = none
auth client required = none
keyring = /dev/null
run dir = ${work}
crash dir = ${work}/log
log file = ${work}/log/$name.log
pid file =
admin socket =
plugin dir = ${HOME}/lib/ceph
erasure code dir = ${HOME}/lib/ceph/erasure-code
osd class dir = ${HOME}/lib/rados-classes
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
mon allow pool size one = true
[mon]
mon data = ${work}/mon
mon data avail warn = 2
mon data avail crit = 1
mon osd auto mark in = true
paxos propose interval = 0.01
paxos min wait = 0.01
[osd]
osd data = ${work}/osd
${COPIED > 0 ? inFile(COPIED) : IN_MEMORY}
osd crush update on start = false
osd class update on start = false
osd op queue = wpq
[client]
rgw data = ${work}/rgw
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
rgw relaxed region enforcement = true
rgw gc obj min wait = 5
rgw gc processor period = 5
`
