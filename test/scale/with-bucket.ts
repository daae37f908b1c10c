// with-bucket.ts <program> [arguments…]: runs a program in whose tests every server stores its files in a bucket. Tests
// see them in a folder, where s3fs mounts the bucket: a third-party program, which verifies that keys are what others
// expect.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseS3Address } from '../../server/storage/s3/address.ts'
import { S3Client } from '../../server/storage/s3/client.ts'
import { listAll, putObject, removeObjects } from '../../server/storage/s3/objects.ts'
import { uniqueName } from '../api/harness.ts'
import { runInside } from './run-inside.ts'
import { sharedS3 } from './s3-store.ts'

/** Timeout of mounting in milliseconds. */
const PATIENCE = 20_000

/** Runs s3fs until its input ends. */
const GUARD = '"$@" & s3fs=$!; read -r _; umount --lazy "$0"; wait $s3fs'

const { credentials, addressOf, env: keys } = await sharedS3()
const address = addressOf(uniqueName('tests'))
const { bucket, prefix, endpoint } = parseS3Address(address)
const client = new S3Client(parseS3Address(address), credentials)
await putObject(client, prefix, Buffer.alloc(0), {})

const home = await mkdtemp(join(tmpdir(), 'filigree-bucket-'))
const disk = join(home, 'disk')
const unmount = await mount()
const env = {
  ...process.env,
  ...keys,
  FILIGREE_TEST_S3: addressOf(''),
  FILIGREE_TEST_BUCKET: address,
  FILIGREE_TEST_BUCKET_DISK: disk,
}
process.exitCode = await runInside(env)
await unmount()
await rm(home, { recursive: true })
await emptyBucket()
client.close()

/**
 * Mounts the bucket until this process ends, however it does, without caching anything that the server may have
 * changed.
 */
async function mount(): Promise<() => Promise<unknown>> {
  const secret = join(home, 'secret')
  await mkdir(disk)
  await writeFile(secret, `${credentials.accessKey}:${credentials.secretKey}`, { mode: 0o600 })
  const fresh = ['attr_timeout=0', 'entry_timeout=0', 'negative_timeout=0', 'max_stat_cache_size=0']
  const options = [...fresh, `passwd_file=${secret}`, `url=${endpoint}`, 'use_path_request_style', 'umask=022']
  const s3fs = ['s3fs', '-f', `${bucket}:/${prefix.slice(0, -1)}`, disk, '-o', options.join()]
  const guard = spawn('sh', ['-c', GUARD, disk, ...s3fs], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  const late = Date.now() + PATIENCE
  while ((await stat(disk)).dev === (await stat(home)).dev) {
    if (Date.now() > late) throw new Error('s3fs did not mount the bucket')
    await pause(50)
  }
  return () => {
    guard.stdin?.end()
    return once(guard, 'close')
  }
}

async function emptyBucket(): Promise<void> {
  for await (const { objects } of listAll(client, prefix)) {
    await removeObjects(
      client,
      objects.map(({ key }) => key),
    )
  }
}
