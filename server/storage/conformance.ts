import { afterEach, beforeEach, describe } from 'vitest'
import { contentSuite } from './conformance/content.ts'
import { folderSuite } from './conformance/folders.ts'
import { guardSuite } from './conformance/guard.ts'
import { identitySuite } from './conformance/identity.ts'
import { closedLinkSuite, linkSuite } from './conformance/links.ts'
import { nameSuite } from './conformance/names.ts'
import { openLinkSuite } from './conformance/open-links.ts'
import type { TestPlace } from './conformance/place.ts'
import { stagingSuite } from './conformance/staging.ts'
import { writingSuite } from './conformance/writing.ts'

export type { TestPlace } from './conformance/place.ts'

/**
 * What every storage driver must do, as tests. A new driver's own test is one call of this.
 * @param makePlace an empty store for each test; see `TestPlace`
 * @param how `followsOut`: its stores were told to follow links out
 */
export function conformance(
  name: string,
  makePlace: () => Promise<TestPlace>,
  { followsOut = false }: { followsOut?: boolean } = {},
): void {
  describe(name, () => {
    let current: TestPlace | undefined
    const place = (): TestPlace => {
      if (!current) throw new Error('no place outside a test')
      return current
    }
    beforeEach(async () => {
      current = await makePlace()
    })
    afterEach(() => current?.close())

    describe('content', () => contentSuite(place))
    describe('names', () => nameSuite(place))
    describe('writing', () => writingSuite(place))
    describe('staging', () => stagingSuite(place))
    describe('folders', () => folderSuite(place))
    describe('identity', () => identitySuite(place))
    describe('links', () => linkSuite(place))
    describe('links out', () => (followsOut ? openLinkSuite : closedLinkSuite)(place))
    describe('guard', () => guardSuite(place))
  })
}
