import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { snapshot } from '../api/snapshot.ts'
import { actsOf } from './effects.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
const token = await world.signIn({
  perm: { ...ALL_PERMISSIONS, admin: false },
  rules: [{ regex: false, allow: false, path: '/deny', regexp: null }],
})

/** Other spellings of `/deny/secret.txt`, and paths to files next to the root. None may open either. */
const SPELLINGS = [
  '/deny/secret.txt',
  '//deny/secret.txt',
  '///deny///secret.txt',
  '/./deny/secret.txt',
  '/deny/./secret.txt',
  '/docs/../deny/secret.txt',
  '/docs/%2e%2e/deny/secret.txt',
  '/docs/.%2e/deny/secret.txt',
  '/docs%2f..%2fdeny%2fsecret.txt',
  '/%2fdeny/secret.txt',
  '/deny%2fsecret.txt',
  '/deny%2Fsecret.txt',
  '/%64eny/secret.txt',
  '/d%65ny/secret%2etxt',
  '/%2564eny/secret.txt',
  '/deny%252fsecret.txt',
  '/deny/secret.txt/',
  '/deny/secret.txt/.',
  '/deny/secret.txt%00',
  '/deny/secret.txt%00.png',
  '/deny/secret.txt%0a',
  '/deny/secret.txt%20',
  '/deny./secret.txt',
  '/deny%5csecret.txt',
  '/DENY/secret.txt',
  '/Deny/SECRET.TXT',
  '/deny;x/secret.txt',
  '/deny%3b/secret.txt',
  '/deny/secret.txt%3a%3a$DATA',
  '/d\u0065\u0301ny/secret.txt',
  '/ｄeny/secret.txt',
  '/inlink',
  '/indir/secret.txt',
  '/indir/../deny/secret.txt',
  '/out/marker.txt',
  '/outfile',
  '/dangling',
  '/loop',
  '/../outside/marker.txt',
  '/%2e%2e/outside/marker.txt',
  '/%2e%2e%2foutside%2fmarker.txt',
  '/%252e%252e/outside/marker.txt',
  '/..%5coutside%5cmarker.txt',
  '/..%c0%afoutside/marker.txt',
  '/%c0%ae%c0%ae/outside/marker.txt',
  '/%ef%bc%8e%ef%bc%8e/outside/marker.txt',
  '/%uff0e%uff0e/outside/marker.txt',
  '/....//outside/marker.txt',
  '/..;/outside/marker.txt',
  '/docs/../../outside/marker.txt',
  '/~/outside/marker.txt',
  '/C:%5coutside%5cmarker.txt',
  '/%5c%5coutside%5cmarker.txt',
  '/%',
  '/%zz',
  '/%ff',
  '/%ed%a0%80',
].map(path => path.replace(/[^\x21-\x7e]/gu, encodeURIComponent))

const acts = actsOf(world.routes)

/** State that no spelling may change. */
const guarded = async () => [await snapshot(world.outside), await snapshot(join(world.root, 'deny'))]

describe('MX-02 PATH-01 PATH-07 other spellings', () => {
  test.each(acts)('give no access to denied or outside paths by $name', async ({ method, prefix, act }) => {
    const before = await guarded()
    const wrong: string[] = []
    for (const spelling of SPELLINGS) {
      const { target = '', ...rest } = act.ask(spelling)
      const { status } = await world.ask({ method, target: prefix + target, token, ...rest })
      if (status >= 500 && status !== 501) wrong.push(`${spelling}: ${status}`)
    }
    expect(await guarded()).toEqual(before)
    expect([...wrong, ...world.seen.leaks]).toEqual([])
    await world.restore()
  })
})

test('MX-02 PATH-07 a destination is checked in its final form, however often it is encoded', async () => {
  const before = await guarded()
  for (const path of SPELLINGS) {
    for (const spelling of [path, encodeURIComponent(path), encodeURIComponent(encodeURIComponent(path))]) {
      for (const action of ['copy', 'rename']) {
        const target = `/api/resources/a.txt?action=${action}&override=true&destination=${spelling.replaceAll('#', '%23')}`
        const { status } = await world.ask({ method: 'PATCH', target, token })
        expect(status, target).toBeLessThan(500)
        if (status < 300) await world.restore()
      }
    }
  }
  expect(await guarded()).toEqual(before)
  expect(world.seen.leaks).toEqual([])
})
