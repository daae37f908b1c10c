import { execFileSync, spawnSync } from 'node:child_process'
import { versionsUnder } from '../../server/storage/s3/kept/versioning.ts'
import { listAll, putObject } from '../../server/storage/s3/objects.ts'
import { signIn } from '../api/client.ts'
import { startServer } from '../api/harness.ts'
import { versionedPlace } from '../scale/s3-place.ts'
import { hasS3, sharedS3 } from '../scale/s3-store.ts'
import { App } from './app.ts'
import { expectAccessible } from './axe.ts'
import { expect, logInOnce, test } from './fixtures.ts'

const KEYS = 3000
/** Uploads to the store at a time. */
const AT_ONCE = 20

const hasRclone = spawnSync('rclone', ['version']).status === 0

test('J8 3000 keys of a bucket with versions are deleted, and come back as they were', async ({ browser }) => {
  test.skip(!hasS3, 'no object store')
  test.skip(!hasRclone, 'no rclone')
  test.setTimeout(900_000)
  const [place, store] = [await versionedPlace(), await sharedS3()]
  const server = await startServer({ root: place.address, env: store.env })
  const prefix = `${place.base}photos/`
  const at = new URL(place.address)
  /** What another program sees: the size and the name of each key, or of each version. */
  const list = (...how: string[]): string[] => {
    const remote = `:s3,provider=Ceph,endpoint='${at.searchParams.get('endpoint')}':${at.hostname}/${prefix}`
    const env = { PATH: process.env.PATH ?? '', ...store.env, RCLONE_S3_ENV_AUTH: 'true', RCLONE_CONFIG: '/dev/null' }
    const args = ['lsf', '-R', '--files-only', '--format', 'sp', ...how, remote]
    return execFileSync('rclone', args, { encoding: 'utf8', env, maxBuffer: 2 ** 26 })
      .split('\n')
      .filter(Boolean)
      .sort()
  }
  /** The keys with what identifies their content. */
  const keys = async () => {
    const found: string[] = []
    for await (const { objects } of listAll(place.client, prefix))
      found.push(...objects.map(({ key, size, etag }) => `${key} ${size} ${etag}`))
    return found
  }
  /** How many keys a marker hides. */
  const markers = async () => {
    let count = 0
    for await (const [newest] of versionsUnder(place.client, prefix)) if (newest?.isMarker) count += 1
    return count
  }
  try {
    for (let first = 0; first < KEYS; first += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, KEYS - first) }, (_, index) => first + index)
      await Promise.all(
        some.map(n =>
          putObject(place.client, `${prefix}${Math.trunc(n / 100)}/${n}.jpg`, Buffer.from(`photo ${n}`), {}),
        ),
      )
    }
    const before = await keys()
    const [seen, versions] = [list(), list('--s3-versions')]
    expect([before.length, seen.length, versions.length]).toEqual([KEYS, KEYS, KEYS])

    const context = await browser.newContext({ reducedMotion: 'reduce' })
    await context.addInitScript(logInOnce, await signIn(server))
    const app = new App(await context.newPage(), server.url)
    await app.openFolder('')
    await app.row('photos').click()
    await app.page.keyboard.press('Delete')
    await expect(app.page.getByText('Moved “photos” to the trash')).toBeVisible({ timeout: 300_000 })
    await expect(app.row('photos')).toHaveCount(0)
    // A marker hides each key; the contents are in the bucket as before, once.
    expect(list()).toEqual([])
    expect([await markers(), list('--s3-versions').length]).toEqual([KEYS, KEYS])

    await app.open('/trash/')
    await app.row('photos').click()
    await expectAccessible(app.page)
    await app.page.screenshot({ path: test.info().outputPath('trash.png') })
    await app.page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(app.page.getByText('Restored “photos”')).toBeVisible({ timeout: 300_000 })
    expect(list()).toEqual(seen)
    expect(await keys()).toEqual(before)
    expect([await markers(), list('--s3-versions').length]).toEqual([0, KEYS])
    await context.close()
  } finally {
    await server.stop()
    await place.close()
  }
})
